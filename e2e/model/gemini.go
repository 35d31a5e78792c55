package model

import "strings"

// geminiFormat is Google's generateContent.
func geminiFormat() format {
	return format{
		matches: endsWith(":generateContent", ":streamGenerateContent"),
		tools: func(body object) []tool {
			var tools []tool
			for _, group := range objects(body["tools"]) {
				for _, t := range objects(group["functionDeclarations"]) {
					tools = append(tools, geminiTool(t))
				}
			}
			return tools
		},
		schema: func(body object) object {
			if schema := objectAt(body, "generationConfig", "responseJsonSchema"); schema != nil {
				return schema
			}
			return objectAt(body, "generationConfig", "responseSchema")
		},
		reply: replyGemini,
	}
}

func geminiTool(t object) tool {
	name, _ := t["name"].(string)
	schema := objectAt(t, "parametersJsonSchema")
	if schema == nil {
		schema = objectAt(t, "parameters")
	}
	return tool{name: name, schema: schema}
}

func replyGemini(r *reply) {
	part := object{"text": r.text}
	if r.call != nil {
		part = object{"functionCall": object{"name": r.call.tool.name, "args": r.call.input}}
	}
	message := object{
		"candidates": []object{{
			"index": 0, "finishReason": "STOP",
			"content": object{"role": "model", "parts": []object{part}},
		}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
		"modelVersion":  "scripted",
	}
	if !strings.HasSuffix(r.path, ":streamGenerateContent") {
		sendJSON(r.w, message)
		return
	}
	r.startStream()
	r.event("", message)
}

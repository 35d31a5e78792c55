package model

import "encoding/json"

// augmentFormat is that of Augment's servers: lines of JSON.
func augmentFormat() format {
	return format{
		matches: endsWith("/chat-stream"),
		tools: func(body object) []tool {
			var tools []tool
			for _, t := range objects(body["tool_definitions"]) {
				name, _ := t["name"].(string)
				text, _ := t["input_schema_json"].(string)
				var schema object
				if json.Unmarshal([]byte(text), &schema) == nil {
					tools = append(tools, tool{name: name, schema: schema})
				}
			}
			return tools
		},
		schema: func(object) object { return nil },
		reply: func(r *reply) {
			node, reason := object{"id": 1, "type": 0, "content": r.text}, 1
			if r.call != nil {
				node, reason = object{"id": 1, "type": 5, "content": "", "tool_use": object{
					"tool_use_id": r.id("call"), "tool_name": r.call.tool.name, "input_json": r.call.arguments(),
				}}, 3
			}
			sendJSON(r.w, object{"text": r.text, "nodes": []object{node}, "stop_reason": reason})
		},
	}
}

// augmentModels is the answer to get-models. The server decides whether the client runs hooks.
func augmentModels() object {
	return object{
		"default_model": "scripted", "languages": []object{}, "user_tier": "COMMUNITY_TIER",
		"models":        []object{{"name": "scripted", "suggested_prefix_char_count": 1, "suggested_suffix_char_count": 1}},
		"feature_flags": object{"enable_hooks": true, "beachhead_enable_sub_agent_tool": true},
	}
}

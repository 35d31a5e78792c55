package model

// responsesFormat is OpenAI's responses.
func responsesFormat() format {
	return format{
		matches: endsWith("/responses"),
		tools:   func(body object) []tool { return responsesTools("", objects(body["tools"])) },
		schema:  func(body object) object { return objectAt(body, "text", "format", "schema") },
		reply:   replyResponses,
	}
}

// searchTool is the tool with which a client lets the model find tools that it does not offer.
const searchTool = "tool_search"

func responsesTools(namespace string, list []object) []tool {
	var tools []tool
	for _, t := range list {
		name, _ := t["name"].(string)
		if t["type"] == searchTool {
			name = searchTool
		}
		if t["type"] == "namespace" {
			tools = append(tools, responsesTools(name, objects(t["tools"]))...)
			continue
		}
		tools = append(tools, tool{name: name, namespace: namespace, schema: objectAt(t, "parameters"), text: t["type"] == "custom"})
	}
	return tools
}

func replyResponses(r *reply) {
	done := object{
		"id": r.id("resp"), "object": "response", "created_at": 1, "status": "completed",
		"model": r.model(), "output": []object{r.responsesItem()}, "usage": object{
			"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 5, "output_tokens_details": object{"reasoning_tokens": 0},
			"total_tokens": 15,
		},
	}
	if !r.streams() {
		sendJSON(r.w, done)
		return
	}
	r.startStream()
	created := object{"id": r.id("resp"), "object": "response", "status": "in_progress", "output": []object{}}
	r.event("response.created", object{"type": "response.created", "response": created})
	for _, kind := range []string{"response.output_item.added", "response.output_item.done"} {
		r.event(kind, object{"type": kind, "output_index": 0, "item": r.responsesItem()})
	}
	r.event("response.completed", object{"type": "response.completed", "response": done})
}

func (r *reply) responsesItem() object {
	if r.call == nil {
		return object{
			"type": "message", "id": r.id("msg"), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": r.text, "annotations": []object{}}},
		}
	}
	if r.call.tool.text {
		return object{
			"type": "custom_tool_call", "id": r.id("ctc"), "call_id": r.id("call"), "status": "completed",
			"name": r.call.tool.name, "input": r.call.text,
		}
	}
	item := object{
		"type": "function_call", "id": r.id("fc"), "call_id": r.id("call"), "status": "completed",
		"name": r.call.tool.name, "arguments": r.call.arguments(),
	}
	if r.call.tool.namespace != "" {
		item["namespace"] = r.call.tool.namespace
	}
	return item
}

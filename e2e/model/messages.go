package model

// messagesFormat is Anthropic's messages.
func messagesFormat() format {
	return format{
		matches: endsWith("/messages"),
		tools: func(body object) []tool {
			var tools []tool
			for _, t := range objects(body["tools"]) {
				name, _ := t["name"].(string)
				tools = append(tools, tool{name: name, schema: objectAt(t, "input_schema")})
			}
			return tools
		},
		schema: func(body object) object {
			if schema := objectAt(body, "output_config", "format", "schema"); schema != nil {
				return schema
			}
			return objectAt(body, "output_format", "schema")
		},
		reply: replyMessages,
	}
}

func replyMessages(r *reply) {
	message := object{
		"id": r.id("msg"), "type": "message", "role": "assistant", "model": r.model(),
		"content": []object{r.messagesBlock()}, "stop_reason": r.messagesStop(), "stop_sequence": nil,
		"usage": object{"input_tokens": 10, "output_tokens": 5},
	}
	if !r.streams() {
		sendJSON(r.w, message)
		return
	}
	r.startStream()
	message["content"], message["stop_reason"] = []object{}, nil
	r.event("message_start", object{"type": "message_start", "message": message})
	empty, delta := r.messagesParts()
	r.event("content_block_start", object{"type": "content_block_start", "index": 0, "content_block": empty})
	r.event("content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta})
	r.event("content_block_stop", object{"type": "content_block_stop", "index": 0})
	r.event("message_delta", object{
		"type": "message_delta", "usage": object{"output_tokens": 5},
		"delta": object{"stop_reason": r.messagesStop(), "stop_sequence": nil},
	})
	r.event("message_stop", object{"type": "message_stop"})
}

func (r *reply) messagesBlock() object {
	if r.call == nil {
		return object{"type": "text", "text": r.text}
	}
	return object{"type": "tool_use", "id": r.id("toolu"), "name": r.call.tool.name, "input": r.call.input}
}

// messagesParts returns the initial content block and its content.
func (r *reply) messagesParts() (empty, delta object) {
	if r.call == nil {
		return object{"type": "text", "text": ""}, object{"type": "text_delta", "text": r.text}
	}
	empty = r.messagesBlock()
	empty["input"] = object{}
	return empty, object{"type": "input_json_delta", "partial_json": r.call.arguments()}
}

func (r *reply) messagesStop() string {
	if r.call != nil {
		return "tool_use"
	}
	return "end_turn"
}

package model

// chatFormat is OpenAI's chat completions.
func chatFormat() format {
	return format{
		matches: endsWith("/chat/completions"),
		tools: func(body object) []tool {
			var tools []tool
			for _, t := range objects(body["tools"]) {
				name, _ := at(t, "function", "name").(string)
				tools = append(tools, tool{name: name, schema: objectAt(t, "function", "parameters")})
			}
			return tools
		},
		schema: func(body object) object { return objectAt(body, "response_format", "json_schema", "schema") },
		reply:  replyChat,
	}
}

func replyChat(r *reply) {
	if !r.streams() {
		sendJSON(r.w, r.chatObject("chat.completion", object{
			"index": 0, "message": r.chatMessage(), "finish_reason": r.chatFinish(),
		}))
		return
	}
	r.startStream()
	r.event("", r.chatObject("chat.completion.chunk", object{
		"index": 0, "delta": r.chatMessage(), "finish_reason": nil,
	}))
	r.event("", r.chatObject("chat.completion.chunk", object{
		"index": 0, "delta": object{}, "finish_reason": r.chatFinish(),
	}))
	r.w.Write([]byte("data: [DONE]\n\n"))
}

func (r *reply) chatMessage() object {
	message := object{"role": "assistant", "content": r.text}
	if r.call != nil {
		message["content"] = nil
		message["tool_calls"] = []object{{
			"index": 0, "id": r.id("call"), "type": "function",
			"function": object{"name": r.call.tool.name, "arguments": r.call.arguments()},
		}}
	}
	return message
}

func (r *reply) chatFinish() string {
	if r.call != nil {
		return "tool_calls"
	}
	return "stop"
}

func (r *reply) chatObject(kind string, choice object) object {
	return object{
		"id": r.id("chatcmpl"), "object": kind, "created": 1, "model": r.model(),
		"choices": []object{choice},
		"usage":   object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
	}
}

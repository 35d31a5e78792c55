package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// inner reads the commands in a node: of a compound command, or in
// substitutions.
func (r *Reader) inner(node syntax.Node, at site) {
	syntax.Walk(node, func(n syntax.Node) bool { return !r.visit(n, at) })
}

// visit reads a visit whose commands affect the variables in a way of their own,
// and reports whether it did.
func (r *Reader) visit(n syntax.Node, at site) bool {
	switch n := n.(type) {
	case *syntax.Stmt:
		r.statement(n, at)
	case *syntax.DeclClause:
		r.declaration(n, at)
	case *syntax.CmdSubst:
		if n.TempFile || n.ReplyVar {
			r.vars.forgetAll()
		}
		r.subshell(func() { r.statements(n.Stmts, r.substitution(at, operands)) })
	case *syntax.ProcSubst:
		kind := process
		if n.Op == syntax.CmdOut {
			kind = output
		}
		r.subshell(func() { r.statements(n.Stmts, r.substitution(at, kind)) })
	case *syntax.TimeClause:
		if s := parse.Timed(n); s != nil {
			r.statement(s, at)
		}
	case *syntax.Subshell:
		r.subshell(func() { r.statements(n.Stmts, at) })
	case *syntax.CoprocClause:
		r.vars.taint("COPROC")
		body, named := n.Stmt, false
		if n.Name != nil {
			var sure bool
			body, named, sure = parse.Coprocess(body, n.Name)
			if !sure {
				r.note("the name of a coprocess may be its command")
			}
		}
		if named {
			r.inner(n.Name, at)
			r.vars.taint(r.slice(n.Name))
		}
		at.group = r.newGroup(group{kind: coprocess, parent: at.group})
		at.reads = append(slices.Clone(at.reads), len(r.Commands)+1) // its input is a pipe
		at.input, at.printed = nil, false
		r.subshell(func() { r.statement(body, at) })
	case *syntax.BinaryCmd:
		r.binary(n, at)
	case *syntax.Block:
		r.statements(n.Stmts, at)
	case *syntax.IfClause:
		r.conditional(n, at)
	case *syntax.CaseClause:
		r.cases(n, at)
	case *syntax.WhileClause:
		r.repeats = true
		r.inLoop(false, func() {
			r.loop(func(func()) {
				r.condition(func() { r.statements(n.Cond, at) })
				r.statements(n.Do, at)
			})
		})
	case *syntax.ForClause:
		r.forLoop(n, at)
	case *syntax.FuncDecl:
		if r.functions == nil {
			r.functions = map[string]bool{}
		}
		r.functions[r.slice(n.Name)] = true
		body := r.body
		r.body, r.repeats = len(r.Commands), true
		at.group = r.newGroup(group{kind: function, name: r.slice(n.Name)})
		r.later(func() { r.statement(n.Body, at) })
		r.body = body
	case *syntax.TestClause:
		r.test(n)
		return false
	case *syntax.ParamExp:
		r.checkParameter(n)
		return false
	case *syntax.ExtGlob:
		if pattern := n.Pattern.Value; strings.ContainsAny(pattern, "$`") {
			r.note("it has an expansion inside an extended glob")
		} else if strings.ContainsAny(pattern, "e+") && !strings.ContainsAny(pattern, "|.") {
			r.note("zsh may run what is in %s", excerpt(r.slice(n)))
		}
		return false
	default:
		return false
	}
	return true
}

func (r *Reader) statements(list []*syntax.Stmt, at site) {
	for _, s := range list {
		r.statement(s, at)
		r.next(s)
	}
}

// conditional reads an if clause, or the rest of one after elif or else.
func (r *Reader) conditional(c *syntax.IfClause, at site) {
	w := &r.where
	errexit := w.errexit
	r.condition(func() { r.statements(c.Cond, at) })
	fail := w.fail
	if len(c.Cond) > 0 {
		w.here = w.ok
	}
	var then []place
	r.branches(func() {
		r.statements(c.Then, at)
		then, w.here = w.here, fail
	}, func() {
		if c.Else != nil {
			r.conditional(c.Else, at)
		}
	})
	w.here, w.errexit = union(then, w.here), w.errexit && errexit
	w.stay()
}

// cases reads a case clause. After ;& the next item is executed too.
func (r *Reader) cases(c *syntax.CaseClause, at site) {
	r.inner(c.Word, at)
	before, errexit := r.where.here, r.where.errexit
	all := before
	for _, item := range c.Items {
		for _, pattern := range item.Patterns {
			r.inner(pattern, at)
		}
		r.branches(func() { r.statements(item.Stmts, at) }, func() {})
		r.where.here, all = before, union(all, r.where.here)
		r.where.errexit = r.where.errexit && errexit
	}
	r.where.here = all
	r.where.stay()
}

// forLoop reads the body of a for loop: once for each of its words, if these
// are determined and the body uses them.
func (r *Reader) forLoop(c *syntax.ForClause, at site) {
	r.repeats = true
	loop, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		r.inner(c.Loop, at)
		r.inLoop(false, func() { r.loop(func(func()) { r.statements(c.Do, at) }) })
		return
	}
	name := loop.Name.Value
	items := at
	items.group = r.newGroup(group{kind: assigned, parent: at.group, name: name})
	r.inner(c.Loop, items)
	values, determined := r.values(loop, c)
	r.checkAssignment(name, word{})
	r.setElsewhere(name)
	r.inLoop(determined, func() {
		r.loop(func(again func()) { r.turn(again, name, values, determined, func() { r.statements(c.Do, at) }) })
	})
	r.vars.forget(name)
}

// turn reads the body of a for loop: once, or for each value of its variable.
func (r *Reader) turn(again func(), name string, values []string, determined bool, body func()) {
	if !determined {
		r.vars.forget(name)
		body()
		return
	}
	for _, v := range values {
		again()
		r.vars.forget(name)
		r.vars.known[name] = v
		body()
	}
}

// values returns the words of a for loop if the text determines them.
func (r *Reader) values(loop *syntax.WordIter, c *syntax.ForClause) (values []string, determined bool) {
	if c.Select || !loop.InPos.IsValid() {
		return nil, false
	}
	determined = true
	for _, item := range loop.Items {
		for _, w := range r.words(item) {
			r.copied++
			if r.copied > maxCopied {
				panic(exhausted{})
			}
			r.Items = append(r.Items, Item{w.text, w.unknown, w.glob})
			value, ok := w.value()
			values = append(values, value)
			determined = determined && ok && !strings.HasPrefix(item.Lit(), "~") // only the shell expands it
		}
	}
	if !determined || r.turns+len(values) > maxTurns {
		return nil, false
	}
	used := false
	for _, s := range c.Do {
		used = used || strings.Contains(r.slice(s), loop.Name.Value)
	}
	r.turns += len(values)
	return values, used && len(values) > 0
}

// test reads the operators of [[ ]] that evaluate arithmetic or subscripts.
func (r *Reader) test(c *syntax.TestClause) {
	syntax.Walk(c, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryTest:
			switch n.Op {
			case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
				r.arithmetic(n)
			}
		case *syntax.UnaryTest:
			if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
				r.arithmetic(n)
			}
		}
		return true
	})
}

// checkParameter notes ${x@P}, which runs the commands in a value.
func (r *Reader) checkParameter(p *syntax.ParamExp) {
	if p.Exp != nil && p.Exp.Op == syntax.OtherParamOps {
		r.note("it has an expansion of the form ${x@...}")
	}
}

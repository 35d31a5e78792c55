package pack

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Group is what one fetch gets: hooks of one place from one directory of a source.
type Group struct {
	Origin
	Locked   []*Locked // those in the lock
	Followed *Followed // if the pack is followed, and all of it is wanted
	Pack     *Pack     // once it is fetched
}

// Origin is the place of hooks, and where they are from.
type Origin struct {
	Place               *Place
	Source, Ref, Commit string // of the lock; Ref may be another one
	Dir                 string // of the hooks, in the source
}

type groups []*Group

// of returns the group of an origin, which it adds if it is missing.
func (gs *groups) of(o Origin) *Group {
	i := slices.IndexFunc(*gs, func(g *Group) bool { return g.Origin == o })
	if i < 0 {
		i = len(*gs)
		*gs = append(*gs, &Group{Origin: o})
	}
	return (*gs)[i]
}

// Updates returns what update fetches for hooks in the locks and, if all is set, for the packs that
// are followed: each at ref or, if that is "", at its own.
func Updates(places []*Place, locked []Locked, ref string, all bool) (gs groups) {
	for i := range locked {
		l := &locked[i]
		g := gs.of(Origin{l.Place, l.Source, cmp.Or(ref, l.Ref), "", l.directory()})
		g.Locked = append(g.Locked, l)
	}
	for _, at := range places {
		for _, f := range at.lock.Packs {
			if all {
				gs.of(Origin{at, f.Source, cmp.Or(ref, f.Ref), "", f.Folder}).Followed = &f
			}
		}
	}
	return gs
}

// Commits returns what has to be fetched to verify entries of locks.
func Commits(locked []Locked) (gs groups) {
	for i := range locked {
		l := &locked[i]
		g := gs.of(Origin{l.Place, l.Source, l.Ref, l.Commit, l.directory()})
		g.Locked = append(g.Locked, l)
	}
	return gs
}

// String returns the names of the hooks, or the source without any.
func (g *Group) String() string {
	var names []string
	for _, l := range g.Locked {
		names = append(names, l.Name)
	}
	return cmp.Or(strings.Join(names, ", "), g.Source)
}

// Plan returns what update does with the pack: the removal of hooks that it has no longer, the names of
// those to install, and which it also has, with the reason if the user declined one.
func (g *Group) Plan() (gone []*Change, names, also []string) {
	for _, l := range g.Locked {
		if slices.Contains(g.Pack.Hooks, l.Name) {
			names = append(names, l.Name)
			continue
		}
		c := g.Place.Remove(l.Name)
		c.Dropped, c.Detail = true, g.Source+" has it no longer"
		if g.Followed == nil {
			c.Conflict, c.Cause = Gone, g.Source
		}
		gone = append(gone, c)
	}
	for _, name := range g.Pack.Hooks {
		if g.Place.Has(name) || !ValidName(name) {
			continue
		}
		cause := ""
		if folder, err := g.Pack.Read(name); g.Followed != nil && err == nil {
			cause = g.Followed.Declines(folder)
		}
		switch {
		case cause != "":
			also = append(also, name+" ("+cause+")")
		case g.Followed == nil:
			also = append(also, name)
		default:
			names = append(names, name)
		}
	}
	return gone, names, also
}

// Suspect returns why the source may have been rolled back or rewritten, or may be another one now: the
// history of a branch has the installed commit no longer, or a tag has moved.
func (g *Group) Suspect(ctx context.Context, git Git) error {
	if len(g.Locked) == 0 || g.Locked[0].Commit == "" || g.Locked[0].Commit == g.Pack.Commit {
		return nil
	}
	return git.Holds(ctx, g.Pack.Source, g.Ref, g.Locked[0].Commit)
}

// Verify compares the entries with the pack that contains their commit, and sets their states.
func (g *Group) Verify(ctx context.Context, git Git) error {
	for _, l := range g.Locked {
		f, err := g.Pack.Read(l.Name)
		switch {
		case err != nil:
			l.differs(err.Error())
		case f.Digest() != l.Digest:
			l.differs("its files are others at " + g.Pack.Describe())
		}
	}
	if !g.Pack.Source.Git {
		return nil
	}
	return git.Holds(ctx, g.Pack.Source, g.Ref, g.Commit)
}

// Differs sets the states of all entries.
func (g *Group) Differs(cause error) {
	for _, l := range g.Locked {
		l.differs(cause.Error())
	}
}

func (l *Locked) differs(cause string) {
	if l.State == Same {
		l.State, l.Cause = Other, cause
	}
}

package simulate

import "github.com/rollmill/rollmill/stages/simulate/agent"

type journal struct{}

func openJournal(path string, arguments string) (*journal, error) { return nil, nil }
func argumentsOf(p *plan) string                                  { return "" }
func (j *journal) agent(a agent.Agent) agent.Agent                { return a }
func (j *journal) close()                                         {}
func (j *journal) replayed() int64                                { return 0 }

package labelled

import "strings"

var (
	nameHeads = strings.Fields(`Al An Ar Be Bran Ca Cor Da Del Do El Em Fa Fe Gal Gri Ha Hel Il In Jo Ju Ka Kel La Len Lo Ma
Mar Mi Na Nel No Ol Or Pa Per Qui Ra Ri Ro Sa Sel Si Ta Tel To Ul Ur Va Vel Vi Wen Wil Xa Ya Yor Za Zel`)
	nameTails = strings.Fields(`ba bel bert bina da dan della den dith don dra fina gan garth gela ko la lan landa len lia lina
lius lo lon ma man mar mina na nan nard nas nella nett nia nor ra ran rell ren rice rick rina ris ro ron sa san sha
son ta tan tha tia tilda tin to ton tra va van vina vy wen win ya zo`)
	townTails = strings.Fields(`bridge brook burg bury by combe cross dale den fell field ford gate grove ham haven hurst
ington land ley marsh mere minster mond mont moor mouth pool port ridge shaw side stead stoke stone ton vale ville wick
wood worth`)
)

func (s *source) name() string { return pick(s, nameHeads) + pick(s, nameTails) }

func (s *source) town() string {
	if s.percent(40) {
		return pick(s, nameHeads) + pick(s, nameTails) + pick(s, townTails)
	}
	return pick(s, nameHeads) + pick(s, townTails)
}

// plural returns the plural of a noun of our lists.
func plural(noun string) string {
	switch {
	case irregular[noun] != "":
		return irregular[noun]
	case strings.HasSuffix(noun, "y") && !strings.ContainsAny(noun[len(noun)-2:len(noun)-1], "aeiou"):
		return noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

var irregular = map[string]string{
	"leaf": "leaves", "shelf": "shelves", "mouse": "mice", "goose": "geese", "wolf": "wolves", "sheep": "sheep", "deer": "deer",
	"bison": "bison", "salmon": "salmon", "trout": "trout", "potato": "potatoes", "ferryman": "ferrymen", "fisherman": "fishermen",
}

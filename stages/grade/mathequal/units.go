package mathequal

import "strings"

// units are the words that may stand behind a value without changing it. Single
// letters are units only within \text, where all words behind a value are.
var units = func() map[string]bool {
	m := map[string]bool{}
	for _, u := range strings.Fields(`
		cm mm km dm nm inch inches ft foot feet yd yard yards mi mile miles meter meters metre metres
		centimeter centimeters centimetre centimetres millimeter millimeters kilometer kilometers kilometre kilometres
		kg mg gram grams kilogram kilograms lb lbs oz ounce ounces pound pounds ton tons tonne tonnes
		sec second seconds minute minutes hr hrs hour hours day days week weeks month months year years
		dollar dollars cent cents usd eur euro euros pence rupees yen
		liter liters litre litres ml gallon gallons quart quarts pint pints cup cups
		degree degrees deg radian radians rad celsius fahrenheit
		mph kmh square sq cubic unit units per
		people person students student apples apple books book points point times percent ways way
		hz khz mhz joule joules watt watts volt volts newton newtons bit bits byte bytes mol am pm a.m p.m`) {
		m[u] = true
	}
	return m
}()

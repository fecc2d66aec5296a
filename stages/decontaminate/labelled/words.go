package labelled

import "strings"

// The words that templates are filled with. Names of people and towns are made
// from syllables, see names.go; with them there are about six thousand words.
var (
	things = strings.Fields(`anchor apple apron arrow axle badge bag banner barrel basket beacon bead bean bell belt bench
bicycle blanket block board boat bolt book boot bottle bowl box bracelet branch brick bridge broom brush bucket buckle
bulb bundle button cabinet cable cactus cage cake calendar camera candle canoe canvas cap card carpet cart carton
cartridge cellar chain chair chalk chart chest chimney chisel cloak clock coat coin collar column comb compass cone
cookie cord cork cottage counter crate crayon cup curtain cushion dial dish doll door drawer dress drum easel egg
engine envelope eraser fan faucet feather fence fern ferry fiddle figurine filter flag flask flute folder fork fountain
frame funnel garland garment gate gear gem glass globe glove goblet grape guitar hammer hammock handle harness harp hat
hatch hedge helmet hinge hook hose hourglass ink jacket jar jewel jug kettle key kite knob ladder lamp lantern latch
leaf ledger lemon lens letter lever lid locket log loom magnet map marble mask mat medal melon mirror mitten model mop
mosaic motor mug nail napkin necklace needle net notebook nozzle oar onion orange oven paddle padlock pail paintbrush
pallet pamphlet pan panel parcel patch pear pebble pedal peg pen pencil pendulum pepper petal photograph pillow pin
pipe pitcher plank plate plow plum pocket pole portrait postcard poster pot potato propeller pulley pump pumpkin puppet
purse quilt radio rail rake ribbon ring robe rod roll roof rope rudder rug ruler saddle sail sandal satchel saucer saw
scarf screw seal seed shawl shed shelf shell shield shingle shirt shoe shovel shutter signpost skate sketch sled sleeve
slipper sock spade spindle sponge spool spoon spring stamp statue stem stencil sticker stone stool stove strap string
suitcase sweater sword table tablet tag tank tape tapestry teapot telescope tent thimble thread ticket tile timber tire
token torch towel toy tray tree trellis trophy trumpet trunk tube tulip turbine umbrella urn valve vase veil vest violin
wagon wallet wand watch wheel whistle wick window wire wreath wrench yarn zipper`)

	animals = strings.Fields(`badger bear beaver bee beetle bison bull butterfly camel cat chicken cow crab crane cricket crow
deer dog dolphin donkey dove dragonfly duck eagle falcon finch firefly flamingo fox frog gazelle goat goose hamster hare
hawk hedgehog heron horse jellyfish kitten ladybird lamb leopard lion lizard llama lobster magpie mole monkey moth mouse
mule newt octopus otter owl panda parrot peacock pelican penguin pig pigeon pony puffin puppy rabbit raven robin rooster
salmon seahorse seal shark sheep snail sparrow spider squirrel starling stork swallow swan tiger toad tortoise trout
turkey turtle walrus weasel whale wolf woodpecker wren zebra`)

	adjectives = strings.Fields(`ancient amber awkward bare bitter blank bold brass brave bright brisk broad broken bronze
brown calm careful ceramic cheap cheerful clean clear clever coarse cold copper cracked creamy crimson crooked curious
curved damp dark deep delicate dense dented dry dull dusty eager early easy elegant empty enormous even faded faint
fancy fast fine firm flat fluffy foreign fragile fresh gentle giant gilded glossy golden graceful grand gray green
handmade handsome hard heavy hidden hollow honest huge icy idle inner iron ivory jagged jolly keen large late lazy
leather light linen little lonely long loose loud lovely low lucky marble massive mild misty modern modest muddy narrow
neat new noble noisy northern odd old open orange ordinary outer oval painted pale patient peculiar plain pleasant
polished portable precious proud pure purple quick quiet rare raw red rich ripe rough round royal rural rusty sacred
salty scarlet scented secret shallow sharp shiny short silent silken silver simple sleek slender slim slow small smooth
soft solid sour southern spare spiral spotless square stale steady steep sticky stiff strange striped strong sturdy
subtle sudden sunny sweet swift tall tame tender thick thin tidy tight tiny tough vast velvet violet vivid warm weak
western wet white wide wild wise wooden woolen worn yellow young`)

	// verbs are in the past tense and take an object.
	verbs = strings.Fields(`adjusted admired arranged assembled auctioned baked balanced bartered blessed borrowed bought
bound broke brought buried bundled carried carved caught chose claimed cleaned cleared coated collected colored
compared concealed counted covered crafted crushed cut damaged decorated delivered demanded designed displayed donated
drew dried dropped dug dusted earned emptied engraved examined exchanged fastened fetched filled fixed folded forgot
found framed gathered gave glued grabbed greased guarded hammered hauled heated hid hired hung ignored imported
inspected invented kept knitted labeled laid launched lent lifted lit loaded locked lost lowered mailed measured melted
mended mixed moved named noticed offered oiled opened ordered packed painted patched pawned peeled piled placed planted
polished poured praised pressed printed produced promised pulled pushed raised received recovered removed rented
repaired replaced rescued returned rinsed roasted rolled rubbed salvaged sanded saved scattered scrubbed sealed selected
sent sewed shaped sharpened shifted shipped showed shredded sketched sliced smashed smuggled sold sorted split spread
stacked stained stapled stitched stole stored stretched stuffed supplied swapped swept tagged tested threw tied
tightened took tossed traded trimmed turned unloaded unpacked unwrapped varnished washed watered weighed welded wiped
won wove wrapped`)

	jobs = strings.Fields(`accountant acrobat actor apprentice architect archivist astronomer baker banker barber beekeeper
blacksmith bookbinder botanist brewer bricklayer broker butcher captain carpenter carver cashier chemist clerk cobbler
collector conductor constable cook cooper courier curator dancer dentist doctor editor electrician engraver farmer
ferryman fisherman florist forester gardener geologist glazier goldsmith grocer guard guide hatter herbalist hunter
innkeeper inspector janitor jeweler judge juggler lawyer librarian lifeguard locksmith magician mason mechanic merchant
midwife miller miner musician nurse optician painter pharmacist photographer pilot plumber poet porter potter printer
professor ranger roofer sailor scholar sculptor secretary shepherd singer soldier surgeon surveyor tailor teacher
translator vendor veterinarian waiter watchmaker weaver welder writer zookeeper`)

	places = strings.Fields(`abbey airport alley aquarium arcade arena attic auditorium bakery balcony bank barn basement bay
bazaar beach boathouse bookshop brewery cabin cafe camp canal canyon castle cathedral cave cellar chapel cinema circus
clinic cloister college courtyard cove creek dairy desert dock factory fairground farm field foothill forest fort foundry
gallery garage garden glacier gorge granary greenhouse grove gym hall harbor hillside hospital hotel island jetty
jungle kitchen laboratory lagoon lake lighthouse lodge manor marina market marsh meadow mill mine monastery museum
nursery oasis observatory office orchard palace park pasture pier plateau plaza pond port prairie quarry reef
reservoir restaurant ridge river school shipyard square stable stadium station studio summit swamp tavern temple
terrace theater tower tunnel valley village vineyard warehouse waterfall wharf windmill workshop yard zoo`)

	kin = strings.Fields(`brother sister cousin uncle aunt nephew niece neighbor friend roommate grandmother grandfather
daughter son mother father colleague classmate teammate partner`)

	days = strings.Fields(`Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July
August September October November December`)

	fields = strings.Fields(`acoustics aesthetics agronomy algebra anatomy anthropology archaeology astronomy bacteriology
biochemistry botany calculus cartography climatology cosmology criminology crystallography cybernetics demography
dermatology ecology econometrics economics embryology entomology epidemiology ethics geology geometry glaciology
histology hydrology immunology jurisprudence kinematics linguistics logic magnetism meteorology microbiology
mineralogy musicology neurology oceanography optics ornithology paleontology pathology pharmacology philology
phonetics physiology psychology rhetoric seismology semantics sociology statistics taxonomy thermodynamics topology
toxicology virology zoology`)

	// concepts are what scholars speak of.
	concepts = strings.Fields(`absorption abstraction adaptation adhesion aggression albedo alienation allele altruism
ambiguity anomaly antibody arbitrage asymmetry atrophy attachment attrition autonomy axiom bias boundary buoyancy
capacity capillary cartilage catalyst causality census centralization charter chromosome circulation citizenship
cognition cohesion collateral combustion commodity compression condensation conduction conformity congruence consensus
consonant contagion contraction convection convergence corrosion covenant credit crust culture currency curvature decay
deduction deficit deflation deformation delegation democracy density deposition derivative deviance dialect diffusion
diffraction dilution discretion dispersion displacement dissonance distillation divergence dogma dominance drainage
drought duality duplication elasticity election electrolyte elevation emission empathy entropy enzyme equality
equilibrium equity erosion estimation evaporation evidence evolution exchange expansion expenditure extinction faction
fatigue federation fermentation fertility filtration fission fixation flexion fluctuation folklore formation fossil
fraction fragmentation franchise friction fusion gene genre germination gland glycogen gradient gravity guild habitat
harmony hemisphere heredity hierarchy hormone humidity hypothesis identity ideology ignition immunity impedance
implication impulse incentive incidence induction inequality inertia infection inference inflammation inflation
inheritance inhibition insulation integration intensity interference inversion irrigation isotope jurisdiction kinship
labor lattice legitimacy lever liability ligament liquidity literacy locomotion logarithm luminosity lymph magnitude
mandate mantle margin membrane memory metabolism metaphor migration mitosis mobility modality molecule momentum monopoly
morale morpheme motif mutation narrative negation negligence neuron niche nomad norm nucleus nutrient obligation
oligarchy orbit organelle oscillation osmosis oxidation oxygen parable paradox parallax parasite parity partition
patronage perception periphery permeability phoneme photosynthesis pigment placebo plasma plateau plurality polarity
pollination polymer population precedent precipitation predator prejudice premise pressure prestige privilege
probability productivity prognosis projection propaganda protein quorum radiation ratio reaction recession reciprocity
redundancy reflection reflex reform refraction regression regulation reinforcement replication representation
resilience resistance resonance respiration retention revenue rhythm ritual rotation salinity sanction saturation
scarcity secretion sediment segregation selection sensation sentiment sequence socialization solidarity solubility
sovereignty spectrum stability stagnation starch stereotype stigma stimulus stratification stress subsidy substrate
succession suffrage supply surplus suspension symbiosis symmetry synapse syndrome syntax synthesis tariff taxation
tectonics temperament tendon tension territory theorem tissue tolerance toxin trade tradition transcription transition
translation transmission treaty turbulence urbanization utility vaccine validity vaporization variance vector velocity
ventilation vertebra viscosity volatility voltage vowel wavelength weathering welfare yield zygote`)

	// doing is what concepts do to each other, in the present tense.
	doing = strings.Fields(`accelerates accompanies accumulates alters amplifies anchors anticipates balances binds blocks
bounds bypasses cancels channels combines compensates concentrates conceals conditions confirms constrains contains
contradicts controls converts creates defers defines delays depletes describes determines diminishes displaces
dissolves distorts disturbs dominates drives eliminates enables encourages enforces enhances enlarges erodes excludes
explains exposes filters fixes follows forces generates governs guides hides hinders imitates implies inhibits initiates
interrupts inverts isolates justifies limits links lowers magnifies maintains masks measures mediates merges mirrors
moderates modifies multiplies narrows neutralizes obscures offsets opposes organizes outlasts outweighs overrides
permits postpones precedes predicts preserves prevents produces prolongs promotes protects provokes raises reduces
reflects regulates reinforces releases replaces represents requires resists restores restricts reveals reverses
separates shapes shields shortens signals slows softens splits stabilizes stimulates strengthens structures suppresses
sustains tempers threatens transfers transforms transmits triggers undermines unifies weakens widens yields`)
)

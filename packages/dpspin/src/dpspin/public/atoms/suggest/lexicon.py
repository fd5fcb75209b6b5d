"""The words that join a phrase, end one, or say too little: closed lists, because they must be the same everywhere.

They are English, written by hand for reviews, tickets and survey answers, and adjusted while reading what public
product and restaurant reviews and complaints give: there they fit best.
"""

from typing import Final


def words_of(text: str) -> frozenset[str]:
    """Return the words of a list that is written as text."""
    return frozenset(text.split())


COPULAS: Final = words_of(
    "is are was were be been being am feel feels feeling felt look looks looking looked seem seems seemed taste tasted "
    "tastes smelled stay stays"
)
LINKS: Final = words_of("of to for")
DETERMINERS: Final = words_of("a an the this that these those my your our his her its their some any each every such")
DEGREES: Final = words_of(
    "very so too really super pretty quite extremely always just also still incredibly rather fairly absolutely "
    "totally completely truly overly more most less least"
)

GREETINGS: Final = words_of("hello hi hey dear greetings hiya")

# A phrase never reaches across these: function words, negations, and verbs and nouns that fit any sentence.
_FUNCTION_WORDS: Final = words_of(
    "about above across actually after again against ago all almost along already although among and another "
    "anybody anymore anyone anything anyway anywhere around as aside at away back because become becomes before "
    "behind below beside besides between beyond both but by can can't cannot could couldn't despite did didn't "
    "different do does doesn't doing done don't down due during either else enough especially etc even ever everybody "
    "everyone everything everywhere exactly except far few finally first former from further generally had hadn't "
    "hardly has hasn't have haven't having he hence here hers herself him himself how however i i'd i'll i'm i've if "
    "in indeed inside instead into isn't it it'd it'll it's itself lately later latter let let's like likely literally "
    "lol many may maybe me might mine moreover mostly much must myself namely near nearly neither never nevertheless "
    "next no nobody non none nor normally not nothing now nowhere off often oh ok okay on once one ones only onto or "
    "originally other others otherwise ought ours ourselves out outside over overall own per perhaps please plus "
    "possible possibly probably rest same second several shall she she's should shouldn't simply since somebody "
    "somehow someone something sometime sometimes somewhat somewhere soon than thank thanks that's them themselves "
    "then there there's therefore they they'd they'll they're they've third though through throughout thru thus till "
    "together toward towards under unfortunately unless unlike until up upon us usually various via vs wasn't we we'd "
    "we'll we're we've well weren't what what's whatever when whenever where whereas whether which while who whoever "
    "whole whom whose why will with within without won't would wouldn't yep yes yet you you'd you'll you're you've "
    "yours yourself zero two three four five six seven eight nine ten twenty thirty forty fifty half ain't honestly "
    "seriously basically clearly obviously certainly definitely surely currently recently previously eventually "
    "immediately apparently supposedly particularly specifically typically hopefully highly greatly perfectly nicely "
    "kinda sorta gonna wanna gotta u ur im ive dont didnt doesnt cant wont isnt wasnt couldnt wouldnt thats theyre "
    "youre mr mrs ms dr com www http https br nbsp quot amp ie eg he's who's how's here's aren't haven a.m p.m am pm "
    "regarding regards concerning following sincerely"
)
_LIGHT_WORDS: Final = words_of(
    "get gets got getting gotten go goes going gone went come comes coming came make makes making take takes taking "
    "took taken give gives giving gave given say says saying said tell tells telling told ask asks asking asked know "
    "knows knowing knew known think thinks thinking thought see sees seeing saw seen find finds finding found want "
    "wants wanted wanting need needs needed needing seem seems seemed keep keeps kept keeping left leaving let lets "
    "became start starts started starting ended ends ending begin began put puts putting bring brings brought bringing "
    "buy buys buying bought purchase purchased purchases purchasing ordered ordering receive received receiving "
    "arrive arrived arrives expect expected expecting hope hoped hoping wish wished guess guessed suppose supposed "
    "decide decided believe believed notice noticed happen happened happens happening mention mentioned call called "
    "calling named turn turned turns show showed shows shown stay stayed staying live lived living move moved walk "
    "walked walking sit sat sitting stand stood talk talked talking speak spoke write writing wrote written read "
    "reading hear heard listen help helped helps helping compare compared check checked checking add added adding "
    "include included includes including offer offers offered offering serve served serves serving visit visited "
    "visiting visits returned returning eat ate eaten eating drive drove driving pick picked picking pay paid paying "
    "spend spent spending wear wore wearing worn hold holds holding held pull pulled open opened opening close closed "
    "run ran running change changed changing choose chose chosen figure figured suggest suggested recommend "
    "recommended recommending recommends recommendation recommendations rate rated rating ratings star stars review "
    "reviews reviewed reviewer reviewers share shared enjoy enjoyed enjoying enjoys love loved loves loving liked "
    "likes hate hated hates prefer preferred able sure glad pleased satisfied disappointed disappointing "
    "disappointment excited impressed surprised thankful sorry worth worthy deserve deserves try trying tried tries "
    "use used uses using look looked looking looks mean means meant feel feels felt worked works work does "
    "waited thing things stuff way ways time times day days week weeks month months year years second "
    "seconds moment today yesterday tomorrow tonight weekend weekends monday tuesday wednesday thursday friday "
    "saturday sunday january february march april june july august september october november december people person "
    "man men woman women guy guys girl girls lady ladies friend friends husband wife boyfriend girlfriend mom mother "
    "dad father son daughter sister brother folks couple group bunch pair amount number end point case fact reason "
    "reasons idea opinion example question questions answer home world job deal chance fan favorite favorites "
    "favourite favourites gem must right wrong entire certain particular usual normal typical average previous last "
    "past recent future early ready available multiple total actual exact true similar specific kind kinds sort sorts "
    "type types lot lots bit little something amazon yelp google wow plenty tons ton bottom middle rest matter sense "
    "trip finish finished order leave leaves made exchange rest tad matters excuse stated stating relating involved "
    "involving provide provided provides providing immediate send sends sending sent"
)
BREAKS: Final = (_FUNCTION_WORDS | _LIGHT_WORDS | GREETINGS) - COPULAS - LINKS - DETERMINERS - DEGREES

# These mean something beside a telling word ("low price", "pizza place"), and nothing beside each other.
GENERIC: Final = words_of(
    "product item place spot restaurant shop store company brand experience area location option choice piece part set "
    "list issue problem kid family party city town street house meal visit review use one purchase stuff size "
    "big small large huge tiny new old long short high low full real main single double extra regular local different "
    "best-seller seller website online business tad hour minute night morning afternoon evening dish plate"
)
GOOD: Final = words_of(
    "good great amazing awesome excellent fantastic wonderful perfect best nice lovely outstanding superb incredible "
    "fabulous terrific phenomenal exceptional impeccable stellar beautiful solid"
)
BAD: Final = words_of(
    "bad terrible horrible awful worst poor poorly mediocre disgusting lousy horrendous atrocious dreadful subpar "
    "crappy gross nasty"
)
FEELINGS: Final = words_of(
    "better cool fun cute pretty fine decent okay alright interesting favourite favorite perfect "
    "unreal insane crazy ridiculous weird strange funny sad angry upset shame joke luck fair honest true legit "
    "yummy notch perfection"
)
PEOPLES: Final = words_of(
    "american mexican italian chinese japanese thai indian greek french spanish german korean vietnamese asian "
    "mediterranean british english irish cuban caribbean jamaican turkish lebanese ethiopian brazilian peruvian "
    "moroccan persian russian polish african european latin hawaiian cajun creole southern western eastern northern "
    "middle belgian swiss portuguese filipino puerto rican argentinian colombian venezuelan pakistani afghan"
)

# What people judge in general. Praise or blame of these is a theme; of anything else ("great brush") it is applause.
ASPECTS: Final = words_of(
    "service support staff food drink quality price value smell scent fragrance odor taste flavor flavour color colour "
    "packaging package atmosphere ambiance ambience decor selection variety results result fit sound picture battery "
    "design instructions instruction performance view music presentation attitude management communication delivery "
    "shipping coverage pay benefits training teamwork hygiene portion portions wait interface quality condition "
    "material materials durability finish texture customer bargain hygiene reception connection signal update updates"
)

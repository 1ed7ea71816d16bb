import { tokenize } from './tokenize.ts'

/**
 * Stems of common English words. On its own such a word is not treated as a name, even if a language, a product or a note has it
 * ("Go", "Notion", "Home"). Word frequencies show this only in large vaults.
 */
export const everydayWords: ReadonlySet<string> = new Set(
  tokenize(
    'accept account act action active add address age agree air allow amount animal answer apple apply area arm art article ask ' +
      'atom attack attention away baby back bad bag balance ball bank bar base basic basis bear beat beautiful become bed begin ' +
      'behavior believe benefit big bit black block blood blue board body book born box boy bread break bring brother brown ' +
      'build building bus business busy buy call camera car card care carry case catch cause cell center central century ' +
      'certain chair chance change charge check child choice choose church circle citizen city class clean clear close coast ' +
      'code coffee cold collect college color come common community company compare computer concern condition consider ' +
      'contain continue control cook cool copy corner cost count country couple course court cover create crime cross cup ' +
      'current cut dark dart data date daughter day dead deal death debate decade decide decision deep degree describe design desk ' +
      'detail develop device difference different difficult dinner direction director discover discuss discussion disease ' +
      'doctor document dog door dot double doubt draw dream dress drink drive drop drug early earth east easy eat echo economy edge ' +
      'education effect effort egg election element employee end energy enjoy enter entire environment evening event evidence ' +
      'example exist expect experience expert explain express eye face fact factor fail fall family far farm fast father fear ' +
      'feature feel field fight figure file fill film final find fine finger finish fire firm first fish fit fix flash floor ' +
      'flow fly focus follow food foot force foreign forget form forward free friend front full fund funny future game garden ' +
      'gas general get girl give glass go goal gold good government great green ground group grow growth guess gun guy hair half ' +
      'hand hang happen happy hard head health hear heart heat heavy help high history hit hold hole home hope hospital hot ' +
      'hotel hour house huge human hundred husband ice idea identify image imagine impact important improve include increase ' +
      'indicate individual industry information inside interest interview invest involve issue item job join judge jump keep ' +
      'key kid kill kind king kitchen know knowledge land language large last late laugh law lay lead leader learn leave left ' +
      'leg legal less letter level lie life light like line linear link lion list listen little live local long look lose loss lot ' +
      'love low lunch machine magazine main maintain major make man manage manager many mark market marriage match material ' +
      'matter mean measure media medical meet meeting member memory mention message meta method middle mile military milk million ' +
      'mind minute miss mission model modern moment money month moon morning mother mountain mouth move movement movie much music ' +
      'name nation natural nature near necessary need network new news newspaper next nice night node none normal north note ' +
      'nothing notice notion number object occur ocean offer office official oil old one open operation opportunity option oracle ' +
      'orange order organization outside owner page pain paint paper parent park part partner party pass past patient pattern pay ' +
      'peace people percent perfect perform period person phone photo pick picture piece place plan plane plant play player point ' +
      'police policy political poor popular population position possible power practice prepare present president press pretty ' +
      'prevent price private probably problem process produce product production program project property protect prove provide ' +
      'public pull purpose push put quality question quick quiet quite race radio rain raise range rate reach react read ready real ' +
      'reality realize reason receive recent recognize record red reduce reflect region relate relationship release religious ' +
      'remain remember remove repeat report represent require research resource respond response rest result return reveal rich ' +
      'ride right ring rise risk river road rock role room ruby rule run rust safe sail sale salt same save say scene school science sea ' +
      'season seat second section security see seek seem sell send sense series serious serve service set seven several shade shape share ' +
      'shell ship shoot shop short shot shoulder show shut side sign signal significant similar simple sing single sister sit site ' +
      'situation six size skill skin slack sleep slow small smile snow social society soldier solution son song soon sort sound source ' +
      'south space spark speak special speech spend sport spring staff stage stand standard star start state station stay step stock ' +
      'stone stop store storm story straight strategy stream street strong structure student study stuff style subject success ' +
      'sugar suggest summer sun support sure surface swift system table take talk target task tax tea teach teacher team tell ten ' +
      'term test thank thing think third thought thousand three throw time tip tired title today together tonight tool top total ' +
      'touch tough town track trade train travel treat treatment tree trial trip trouble true trust truth try turn two type ' +
      'understand unit use user usual value various victim video view visit visual voice vote wait walk wall want war warm wash watch water ' +
      'wave way weapon wear weather week weekend weight west white whole wide wife wild win wind window wine winter wish woman wonder ' +
      'wood word work worker world worry write writer wrong yard year yellow yesterday young zoom',
  ),
)

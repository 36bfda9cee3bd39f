/**
 * In which nation of the UK a postcode lies, by its area ('EH') or district ('SY16'). Districts that a border runs through say nothing, nor do the
 * Crown dependencies (areas of Royal Mail against the borders of the nations).
 */

const AREAS = {
  ENG: `AL B BA BB BD BH BL BN BR BS CB CM CO CR CT CV CW DA DE DH DL DN DT DY E EC EN EX FY GU HA HD HG HP HU HX IG IP KT L LA LE LN LS LU M ME MK N
    NE NG NN NR NW OL OX PE PL PO PR RG RH RM S SE SG SK SL SM SN SO SP SR SS ST SW TA TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO`,
  NIR: 'BT',
  SCT: 'AB DD EH FK G HS IV KA KW KY ML PA PH ZE',
  WLS: 'CF SA',
};

/** Of areas on both sides of a border: districts that lie wholly on one. */
const DISTRICTS = {
  ENG: 'CA1-5 CA7-28 CH2-3 CH41-66 GL1-14 GL17-20 GL50-56 HR1 HR4 HR6-9 SY1-4 SY6 SY8',
  SCT: 'DG1-13 TD1-4 TD6-7 TD10-11 TD13-14',
  WLS: 'CH6-8 LD1-6 LL11 LL15-78 NP4 NP8 NP10-13 NP15 NP18-20 NP22-24 NP26 NP44 SY16-20 SY23-25',
};

const words = (text: string): string[] => text.trim().split(/\s+/);

const nationOf = new Map([
  ...Object.entries(AREAS).flatMap(([nation, areas]) => words(areas).map((area) => [area, nation] as const)),
  ...Object.entries(DISTRICTS).flatMap(([nation, spans]) =>
    words(spans).flatMap((span) => {
      const [, area, first, last = first] = /^([A-Z]+)(\d+)(?:-(\d+))?$/.exec(span)!;
      return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => [`${area}${Number(first) + at}`, nation] as const);
    }),
  ),
]);

/** 'EH1 1AA' -> 'SCT'; '' for what is no whole postcode, and where its district does not say. */
export function nationOfPostcode(postcode: string): string {
  const [, area = '', district = ''] = /^([A-Z]{1,2})(\d{1,2})[A-Z]?\d[A-Z]{2}$/.exec(postcode.toUpperCase().replace(/\s/g, '')) ?? [];
  return nationOf.get(area) ?? nationOf.get(area + district) ?? '';
}

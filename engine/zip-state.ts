/** Which states the first three digits of a US ZIP code lie in (USPS publication 65: sectional centres), and places at borders that are served from the other side. */

const SPANS = `005 NY,006-007 PR,008 VI,009 PR,010-027 MA,028-029 RI,030-038 NH,039-049 ME,050-054 VT,055 MA,056-059 VT,060-062 CT,063 CT NY,064-069 CT,
070-089 NJ,100-149 NY,150-196 PA,197-199 DE,200 DC,201 VA,202-205 DC,206-219 MD,220-246 VA,247-268 WV,270-289 NC,290-299 SC,300-319 GA,
320-339 FL,341-342 FL,344 FL,346-347 FL,349 FL,350-352 AL,354-369 AL,370-385 TN,386-397 MS,398-399 GA,400-427 KY,430-459 OH,460-479 IN,480-499 MI,
500-528 IA,530-549 WI,550-567 MN,569 DC,570-577 SD,580-588 ND,590-599 MT,600-629 IL,630-658 MO,660-679 KS,680-693 NE,700-714 LA,716-729 AR,
730-732 OK,733 TX,734-749 OK,750-799 TX,800-816 CO,820-831 WY,832-833 ID,834 ID WY,835-838 ID,840-847 UT,850-865 AZ,870-884 NM,885 TX,889-898 NV,
900-961 CA,967 HI AS,968 HI,969 GU MP,970-979 OR,980-994 WA,995-999 AK`;

/** Part of these lies in each of the states named. */
const BORDER_PLACES = `42223 KY TN,51360 IA MN,56027 MN IA,56144 MN SD,57724 SD MT,58225 ND MN,59221 MT ND,59270 MT ND,63673 MO IL,71749 AR LA,72395 AR TN,
73949 OK TX,79837 TX NM,81137 CO NM,82082 WY NE,83342 ID UT,84531 UT AZ,84536 UT AZ,86044 AZ UT,86504 AZ NM,86515 AZ NM,88063 NM TX,89010 NV CA,
89060 NV CA,89061 NV CA,89421 NV OR,89439 NV CA,97635 OR CA,97910 OR ID,99362 WA OR`;

const byPrefix = new Map(
  entriesOf(SPANS).flatMap(([span, states]) => {
    const [first, last] = span.split('-').map(Number) as [number, number | undefined];
    return Array.from({ length: (last ?? first) - first + 1 }, (_, at) => [String(first + at).padStart(3, '0'), states] as const);
  }),
);
const byPlace = new Map(entriesOf(BORDER_PLACES));

function entriesOf(text: string): [string, string[]][] {
  return text.split(',').map((entry) => {
    const [key, ...states] = entry.trim().split(' ');
    return [key!, states];
  });
}

/** The states a ZIP code may lie in; none where no place has it (that of a military post office among them). */
export function statesOfZip(zip: string): string[] {
  return byPlace.get(zip) ?? byPrefix.get(zip.slice(0, 3)) ?? [];
}

/** `npm run cases`: draws docs/security/cases.md and docs/security/asvs.md anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASVS_PAGE, drawAsvs } from './asvs.ts';
import { CASES_PAGE, drawCases } from './cases.ts';

const write = (page: string, text: string) => writeFileSync(join(import.meta.dirname, '..', page), text);
write(CASES_PAGE, drawCases());
write(ASVS_PAGE, drawAsvs());

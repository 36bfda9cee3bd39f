/** `npm run cases`: draws docs/security/cases.md anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT, drawDocument } from './cases.ts';

writeFileSync(join(import.meta.dirname, '..', DOCUMENT), drawDocument());

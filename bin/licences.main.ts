/** `npm run licences`: draws docs/security/licences.md anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT, drawDocument } from './licences.ts';

writeFileSync(join(import.meta.dirname, '..', DOCUMENT), drawDocument());

/** Chance that is none: the same lead draws the same for the same tier, on every node and at every replay. */

export const DRAWS = 10_000;

/** A whole number from 0, below DRAWS; FNV-1a, its bits mixed once more as in MurmurHash3, since ids of one moment differ in few of them. */
export function drawOf(leadId: string, tierId: string): number {
  let hash = 0x811c9dc5;
  for (const text of [leadId, ' ', tierId])
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % DRAWS;
}

/** What a call says of itself to the log of sign-ins and refusals; watch-answers.ts writes it as the call is answered. */
import type { FastifyRequest } from 'fastify';
import type { SecurityFactors, SecurityKind, SecurityOutcome } from '#contract/security-words.ts';
import type { Subject } from './security-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    securityNotes: Notes | null;
  }
}

export interface Notes {
  /** Whose session the call came with. */
  caller: Subject | undefined;
  /** Whom it is about where no session says so: a sign-in, a link. */
  subject: Subject | undefined;
  /** Of a refusal, where its code says too little. */
  outcome: SecurityOutcome | undefined;
  factors: SecurityFactors;
  /** What has come about, and stands whatever is answered: noted once it is committed. */
  done: Done[];
}

export interface Done {
  kind: SecurityKind;
  outcome: SecurityOutcome;
  factors: SecurityFactors;
  subject: Subject;
  byUserId: string | null;
}

export function notesOf(request: FastifyRequest): Notes {
  request.securityNotes ??= { caller: undefined, subject: undefined, outcome: undefined, factors: '', done: [] };
  return request.securityNotes;
}

export function noteCaller(request: FastifyRequest, person: { userId: string; organizationId: string }): void {
  notesOf(request).caller = { userId: person.userId, organizationId: person.organizationId };
}

/** Somebody who is not in an organization yet: it concerns all whose team they are on. `factors`: by what they try to be known. */
export function noteSubject(request: FastifyRequest, userId: string, factors: SecurityFactors = ''): void {
  Object.assign(notesOf(request), { subject: whose(userId), factors });
}

/**
 * A link that is not good, and why: whose it is where it is one of ours; else it is a stranger's. `token` is as it is kept; undefined where none is.
 */
export function noteBadLink(
  request: FastifyRequest,
  token: { userId: string; organizationId: string | null; usedAt: Date | null } | undefined,
): void {
  const notes = notesOf(request);
  notes.factors = 'link';
  notes.outcome = !token ? 'link-unknown' : token.usedAt ? 'link-used' : 'link-expired';
  notes.subject = token ? whose(token.userId, token.organizationId) : { isStranger: true };
}

export function noteOutcome(request: FastifyRequest, outcome: SecurityOutcome): void {
  notesOf(request).outcome = outcome;
}

/** What the call has come to, once that is committed; `organizationId` where it happens in one. */
export function noteDone(
  request: FastifyRequest,
  done: {
    kind: SecurityKind;
    userId: string;
    organizationId?: string | null;
    outcome?: SecurityOutcome;
    factors?: SecurityFactors;
    byUserId?: string;
  },
): void {
  const { kind, userId, organizationId, outcome = 'done', factors = '', byUserId = null } = done;
  notesOf(request).done.push({ kind, outcome, factors, subject: whose(userId, organizationId), byUserId });
}

const whose = (userId: string, organizationId?: string | null): Subject =>
  organizationId ? { userId, organizationId } : { userId, isAnywhere: true };

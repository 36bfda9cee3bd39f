/** What travels between us and a buyer, and what a request is made of. Types only. */
import type { BuyerCall } from '#engine/effect.ts';
import type { Instant, Money } from '#engine/plan.ts';
import type { OutsideMail } from '#server/mail/lead-mails.ts';

/** Normalised lead fields by name: dates 'YYYY-MM-DD', phones E.164, booleans as such. Null, undefined and '' are empty. */
export type LeadValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What is known beside the lead itself. Secrets are decrypted, by the names the endpoint uses. */
export interface DeliveryContext {
  now: Instant;
  leadId: string;
  affiliateId?: string;
  subId?: string;
  campaignName?: string;
  currency?: string;
  minimumPrice?: Money;
  /** How many buyers may have the lead; 1 sells exclusively. */
  maxSales?: number;
  test?: boolean;
  username?: string;
  hardCode?: string;
  /** What the buyer that bought pays; only for a loss notice that may tell it. */
  winningPrice?: Money;
  secrets?: Readonly<Record<string, string>>;
  /** The call as a step of a trace; told to those alone whom the operator names (TRACEPARENT_TO). */
  traceparent?: string;
}

/** Everything a request is built from. */
export interface BuildInput {
  lead: LeadValues;
  context: DeliveryContext;
  call: Pick<WireCall, 'leg' | 'timeoutMs' | 'price' | 'captures'>;
}

/** A call of the engine, or the notice that follows it. */
export type WireCall = Omit<BuyerCall, 'leg'> & { leg: BuyerCall['leg'] | 'lost' };

/** `mail` where it goes out as an e-mail and not as a call; the log keeps what `body` shows of it. */
export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  mail?: OutsideMail;
}

/** Header names in lower case; the body is decoded from its content encoding, still bytes. */
export interface WireResponse {
  /** Who answered, where redirects led there. */
  url?: string;
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** Something a person should look at; never holds a lead's value. `at` is the mapping key, path or rule it concerns. */
export interface WireWarning {
  code: WarningCode;
  at?: string;
}

export type WarningCode =
  | 'unmapped-value'
  | 'mapped-otherwise'
  | 'not-a-number'
  | 'not-a-boolean'
  | 'leading-zeros-dropped'
  | 'character-dropped'
  | 'not-a-date'
  | 'unknown-secret'
  | 'content-type-differs'
  | 'byte-order-mark'
  | 'leading-text'
  | 'trailing-text'
  | 'charset-guessed'
  | 'entity-escaped'
  | 'unreadable-body'
  | 'soap-fault'
  | 'empty-body'
  | 'substring-rule'
  | 'no-rule-matched'
  | 'price-unreadable'
  | 'price-rounded'
  | 'price-not-positive'
  | 'redirect-refused'
  | 'redirect-relative'
  | 'redirect-not-https'
  | 'expiry-unreadable'
  | 'rate-limited';

/** Words about companies, consumers and the lists that protect them. */
import { term } from './write-help.ts';

export const peopleTerms = [
  term(
    ['Publisher', 'Affiliate'],
    ['publishers', 'publisher', 'home-publisher', 'contact', 'compare-stats', 'learn'],
    'A company that sends us leads and is paid for those that are sold. Its affiliate id names it towards others.',
  ),
  term(
    ['Buyer'],
    ['buyers', 'buyer', 'home-buyer', 'contact', 'compare-stats', 'learn'],
    'A company that buys leads, and pays for each that it accepts.',
  ),
  term(
    ['Consumer'],
    ['lead', 'lead-flow.data-request', 'learn'],
    'The person who filled in the form. Whatever we do with a lead, it is somebody’s data.',
  ),
  term(['Contact'], ['contact', 'buyer', 'publisher'], 'A person at a buyer or publisher: whom to call when something is wrong.'),
  term(
    ['Sub id'],
    ['subid-specific-report', 'promotions', 'lead-flow.inbound', 'tier'],
    'A word with which a publisher tells apart where its leads come from: a site, a banner, a partner of its own.',
  ),
  term(
    ['Posting key'],
    ['tier', 'features-api', 'publisher'],
    'The secret with which a publisher’s program sends leads. It names one publisher tier of kind “API”, is shown once, and can be replaced with some overlap.',
  ),
  term(
    ['Suppression list'],
    ['data-mgmt.configuration', 'data-mgmt.inbound', 'data-mgmt.outbound', 'tier'],
    'People whose leads must not be bought, or not go to a certain buyer: by e-mail, phone or another field. Only hashes are kept, so nobody can read the list back.',
  ),
  term(
    ['Hash', 'MD5', 'SHA-256'],
    ['data-mgmt.configuration', 'data-mgmt.inbound'],
    'A fingerprint of a value: it can be compared, and cannot be turned back into the value. Lists may be filled with values or with their hashes.',
  ),
  term(
    ['Opt-out', 'DNC'],
    ['data-mgmt.inbound', 'data-mgmt.configuration', 'lead-flow.data-request'],
    'Somebody who asked not to be contacted any more; DNC stands for “do not call”.',
  ),
  term(
    ['Data-subject request'],
    ['lead-flow.data-request'],
    'A consumer asks what is known of them, or wants it erased. The law gives a time within which that must be answered.',
  ),
  term(
    ['Routing number', 'ABA', 'Sort code'],
    ['bank-mgmt'],
    'Names a bank: nine digits with a check digit in the United States, a sort code of six digits in the United Kingdom.',
  ),
  term(
    ['BIN'],
    ['bin-mgmt', 'bin-lookup', 'payment-processor-stats'],
    'The first six to eight digits of a card number: they name the bank that issued it, and nobody’s account. Of a whole card number no more than eight digits are ever stored.',
  ),
  term(
    ['Move'],
    ['bank-mgmt', 'bin-mgmt', 'bin-lookup', 'payment-processor-stats'],
    'What is decided about a bank or BIN: BLOCK (Blocked), USE 3D SECURE (Low), ACCEPT (Medium) or UNSORTED. BLOCK refuses the lead; the others can be asked for in filters of tiers.',
  ),
  term(
    ['Consent certificate'],
    ['third-party-service'],
    'A proof, made while the form was filled in, that the consumer agreed to be contacted.',
  ),
  term(
    ['Lander', 'Landing page'],
    ['page-stats', 'landing-page', 'card', 'cards'],
    'The page on which a consumer arrives and fills in a form. How many see it, how many send it, and how many of those leads are sold are its figures.',
  ),
  term(
    ['Card', 'Business card'],
    ['cards', 'card'],
    'A public page about one person: how to reach them, where else they are, and a form if there is a lander.',
  ),
  term(
    ['Payment processor'],
    ['payment-processor-stats'],
    'A company that carries out card payments, and reports back whether each was approved.',
  ),
  term(
    ['Chargeback'],
    ['payment-processor-stats'],
    'A payment that the consumer’s bank took back. It counts as approved when it was tried, and as a chargeback beside that.',
  ),
];

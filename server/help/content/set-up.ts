/** The set-up area. */
import { page } from './write-help.ts';

export const setUpHelp = [
  ...page(
    'flow-control',
    'A campaign as a picture: who sends on the left, the checks and groups in the middle, who buys on the right, with today’s figures and what is wrong at each seat. Changes are a draft until you publish them.',
    [
      [
        'I moved a tier. Is it live?',
        'Not yet. Publish the draft: you are shown what changes first. Until then leads go by the tree of before.',
      ],
      [
        'Which mode do I give a group?',
        'Priority, where you know whom you want first. Highest price, where prices are fixed and differ. Auction, where buyers bid. In turn, to treat equal buyers alike. By weight, to give shares.',
      ],
      [
        'How do I get an earlier tree back?',
        'Open the earlier trees, choose one, and go back to it after reading what changes. The tree that is live now stays among them.',
      ],
    ],
  ),
  ...page('campaigns', 'The campaigns of this vertical: each ties publishers who send to a tree of buyers.', [
    [
      'When do I make another campaign?',
      'When leads need another tree, margin or time limit: for another product, or for publishers with another agreement. Otherwise one is easier to keep in view.',
    ],
    [
      'Does duplicating copy everything?',
      'Its settings, and its ping tree as a draft. Tiers are copied on their own pages; keys and secrets never are.',
    ],
  ]),
  ...page(
    'campaign',
    'The settings of one campaign: the least margin, the floor, the time for the whole tree, how many buyers one lead may have, and values for testing.',
    [
      ['What does the margin do?', 'A buyer tier that would leave less than this is not asked. It may be an amount or a percentage.'],
      ['What does the floor do?', 'Prices and bids under it are not taken, whoever sends the lead.'],
      [
        'May one lead be sold more than once?',
        'If “Buyers at most per lead” is more than 1, and never twice to the same buyer. The consumer must have agreed to that. Publishers that ping are told what each sale would earn; a buyer is told how many may have the lead where a row sends maxSales.',
      ],
    ],
  ),
  ...page('publishers', 'The companies that send leads. Open one for its tiers, contacts, balance and statements.', [
    [
      'How do I stop a publisher at once?',
      'Pause its tiers, or revoke their posting keys: from then on its calls are refused. What is lost is said before you do it.',
    ],
    [
      'Why can I read a publisher and not change it?',
      'It has tiers in verticals that you may not set up. Somebody who may set up all of them, or the owner, can.',
    ],
  ]),
  ...page('publisher', 'One publisher: its tiers in campaigns, its contacts, and its account with payments and adjustments.', [
    [
      'Where is its posting key?',
      'On each of its tiers. A key is shown once, when it is made; a lost one is replaced, with some overlap if you wish.',
    ],
    [
      'How do I enter a payment?',
      'At its account: which way the money goes, the amount, and what for. It is entered once, even if the answer is lost and you press again.',
    ],
  ]),
  ...page('buyers', 'The companies that buy leads. Open one for its tiers, contacts, caps over all tiers, balance and statements.', [
    [
      'How do I stop selling to a buyer?',
      'Pause its tiers. To stop at an amount, set a cap on the buyer: it counts all of its tiers together.',
    ],
    [
      'A buyer is passed by although it wants leads. Why?',
      'Look at “What is wrong now” and at its tiers: a full cap, closed hours, an open breaker, or a balance that cannot pay. The page of any lead names the reason.',
    ],
  ]),
  ...page(
    'buyer',
    'One buyer: how it pays, caps over all of its tiers, its tiers and contacts, its account, and keys with which it returns leads by itself.',
    [
      [
        'Prepaid or credit?',
        'Prepaid buyers pay before they get leads. On credit a buyer may owe up to the limit you set. Either way the next lead that cannot be paid passes by, exactly.',
      ],
      [
        'How can a buyer return leads by itself?',
        'Make a return key here and send it to the buyer: it then calls POST /api/v1/returns. Or take its file on the page Leads.',
      ],
      ['What counts against a cap of the buyer?', 'Everything it takes, in whatever tier. A cap of a tier counts that tier alone.'],
    ],
  ),
  ...page(
    'tier',
    'One seat in a campaign. Of a publisher: its key, price, checks, filters and caps. Of a buyer: where leads are sent, how answers are read, price, hours, caps, filters and what happens when it fails.',
    [
      [
        'A cap says 100 a day. When does the day begin?',
        'At midnight in the time zone of the cap, right also when clocks change. A cap that is added in the middle of a day counts what was sold in it before.',
      ],
      [
        'How do I know that the mapping is right?',
        'The preview shows the request for the sample lead as it would go out. Paste an answer of the buyer to see how it is read, and make a test call when the buyer expects it.',
      ],
      [
        'The buyer answers with a redirect. Can it be followed?',
        'Yes, with “Follow redirects” in its endpoint, three times at most and within the time limit. 307 and 308 send the lead on; 303, and 301 and 302 after a POST, only ask there. A secret goes to no other server: where one would have to, the call ends as an error. Better write the new address into the endpoint.',
      ],
      [
        'What does “Try again when nothing was sent” do?',
        'Where no connection comes about (refused, cut off, or the name is not known), the call is made once more a tenth of a second later, if the time limit leaves room. A call of which anything may have arrived is never made twice.',
      ],
      [
        'Do secrets stand in the form?',
        'Never. They are sealed when you save and not shown again. If a tier gets another address, its secrets are asked for anew, so that they cannot be sent elsewhere.',
      ],
    ],
  ),
  ...page('contact', 'People at buyers and publishers: whom to call or write to.', [
    ['Does a contact get mails from us?', 'No. Contacts are for you; they do not sign in, and nothing is sent to them.'],
    ['Where else do I find them?', 'On the page of their buyer or publisher, and with Alt+P.'],
  ]),
  ...page(
    'third-party-service',
    'Services that check leads: called over the network like a buyer, or ready-made checks that call nobody. Tiers name the service they want.',
    [
      [
        'A service does not answer. What happens to leads?',
        'What the tier says: they go on as if it had passed, or they are refused. A paused service is asked by nobody, and the same rule decides.',
      ],
      [
        'Which checks need no service?',
        'Whether a phone number can exist, whether an e-mail address is well formed and not of a throw-away domain, whether a ZIP code lies in its state, and whether there is a consent certificate that is not too old.',
      ],
    ],
  ),
  ...page(
    'cards',
    'Public business cards: pages for anybody, opened by a link or a code, each with a form if you like that brings leads.',
    [
      [
        'Who can see a card?',
        'Whoever has its address, without a sign-in. While a card is paused or archived, its address says that there is none.',
      ],
      ['Are cards part of the exported configuration?', 'No: they hold people’s names and numbers, and stay here.'],
    ],
  ),
  ...page(
    'card',
    'One card: the person, the design, links elsewhere, and a lander, which is a page with a contact form. It is drawn while you write.',
    [
      [
        'What becomes of what a lander sends?',
        'It is a lead of the publisher tier that you choose, checked and sold like any other, with the words of the consent and the source of the visit.',
      ],
      [
        'Why can I choose only some publisher tiers?',
        'A lander needs a tier of kind “Lander”, which takes leads from landers alone. If there is none, “Add a tier” makes one here. A tier that publishers post to is for them; give the lander one of its own, with its own price and caps.',
      ],
      [
        'The vertical needs an IP address. Why does the form not ask for it?',
        'Nobody knows theirs by heart: it is taken from the call, like the time and the browser.',
      ],
      [
        'Can a page on our own site show the form?',
        'Yes. The three public calls of cards and landers, told at /docs, may be made by a page on any host. Show the consent that get-lander tells, and send its consentVersion back as dc_consent_version: only then does the proof say which words were on screen.',
      ],
      [
        'What if I change the consent while somebody has the form open?',
        'The form shows them the new words and asks once more. What is kept with a lead is what its consumer saw.',
      ],
      [
        'Overview says that a lander takes no requests. Why?',
        'Its publisher tier, the publisher or the campaign is paused. Whoever opens the lander is told so; let what is paused go on, or pause the card.',
      ],
      ['May the description hold HTML?', 'Headings, paragraphs, bold, italic, lists and links. All else is taken out when it is saved.'],
      [
        'How is a card passed on?',
        'By its address, by the code on it, which a phone scans, or as a file for the address book that the card itself offers.',
      ],
    ],
  ),
  ...page(
    'configuration',
    'What a lead of this vertical is made of: its fields in order, each with type, limits and options, and the primary field.',
    [
      [
        'A field is required now. What of publishers that do not send it?',
        'Their leads are invalid from the next one on, and they are told which field is missing. Tell them before you change it.',
      ],
      [
        'May I remove a field?',
        'If nothing needs it: a filter or mapping that names it is shown first. A field that is removed can be brought back by Undo.',
      ],
      ['What does “Searchable” do?', 'Leads can be found by the exact value of the field.'],
    ],
  ),
  ...page('features-api', 'What publishers need to post leads: keys, how a call looks, and what it answers.', [
    [
      'How does a system of ours hear what became of a lead?',
      'By a webhook (the tab beside this one): it is posted to an address of yours the moment a lead is sold, settled or returned, signed, and again until it is taken. Nothing of the person is in it.',
    ],
    [
      'Can I keep what a webhook was told on record?',
      'Yes. Open the webhook and press CSV above its calls: all of the last 30 days are saved, not only those on the page, each with its lead and what came back.',
    ],
    [
      'How does a publisher try its side?',
      'With test values of the campaign, or with “test” in the call. It is told what would happen; nothing is sold.',
    ],
    [
      'What if a call gets no answer?',
      'The publisher sends the same call again: it gets the answer of the first one, and the lead is not sold twice.',
    ],
  ]),
  ...page(
    'no-vertical',
    'There is no vertical here yet. A vertical is a product, such as payday loans, and everything else lives in one.',
    [
      ['How do I add one?', 'With Add vertical in the header, if you run the organization. Otherwise ask the owner.'],
      [
        'I was working in a vertical. Where is it?',
        'It may be archived, or your permission for it was taken back. Leads of an archived vertical stay readable.',
      ],
    ],
  ),
  ...page(
    'statement',
    'One company, one month: the balance at the beginning, sales and returns by tier, adjustments, payments, and the balance at the end. Print it, or save it as CSV entry by entry.',
    [
      [
        'Why is the statement provisional?',
        'Until 15 minutes after the month’s end entries may still come. After that the month is settled; later returns stand in the month in which they are made.',
      ],
      [
        'The buyer’s own count differs. How do I find out why?',
        'Save the entries as CSV and compare them by lead id. Leads that were held or returned are the usual reason.',
      ],
    ],
  ),
];

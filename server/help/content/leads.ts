/** Overview, leads, and those that wait for a decision. */
import { page } from './write-help.ts';

export const leadsHelp = [
  ...page(
    'overview',
    'Today in this vertical: leads, sales and money against yesterday at the same hour, the leads that are coming in now, the best publishers and buyers, and what is wrong at the moment.',
    [
      [
        'What is today compared with?',
        'With yesterday up to the same time of day, in your reporting time zone, which the header shows. Hold the pointer over a figure for its exact amount.',
      ],
      [
        'What does “What is wrong now” tell?',
        'What keeps leads from being sold: paused tiers, caps that are nearly used up, buyers that do not answer, breakers that are open, buyers that cannot pay. Each line leads to the place where it is mended.',
      ],
      [
        'Why are revenue and payout not final?',
        'Buyers may return leads later, and held leads may still be sold. Returns of the day are told below the figures, with what they leave.',
      ],
    ],
  ),
  ...page(
    'leads',
    'Every lead of this vertical, newest first. Search by lead id, e-mail, phone or primary field; narrow by time, status, publisher, campaign or buyer. A click on a line opens the lead with its whole story.',
    [
      [
        'A publisher asks why a lead was rejected. Where do I look?',
        'Paste the lead id, the e-mail or the phone number into the search and open the lead. The sentence at its top says why, and one button copies the answer in words for the publisher.',
      ],
      [
        'How do I get the leads into a spreadsheet?',
        'The CSV button saves every lead found, not only those on the page, with the columns that are shown. Choose columns first.',
      ],
      [
        'Why can I not read names and numbers in full?',
        'Personal values are masked, so that everyday work does not need them. Search still finds a lead by the full value.',
      ],
    ],
  ),
  ...page(
    'lead',
    'The story of one lead: what the consumer gave, each check with what decided it, every buyer with its verdict, the calls as they went over the wire, and where the time went.',
    [
      [
        'Why was a buyer not asked?',
        'Its line says so in one sentence: the cap that was full, the hour it was closed, the filter that did not fit, or that the lead was sold before its turn.',
      ],
      [
        'Can I see what was sent to a buyer?',
        'Yes: open its attempt. Request and answer stand there as they were, with personal values and secrets masked.',
      ],
      [
        'A buyer gives the lead back. What do I do?',
        'Press Return on the sale, choose the reason, and enter less than the whole price if only a part was agreed on. The books follow; the publisher gives back its part where its tier says so.',
      ],
    ],
  ),
  ...page(
    'to-settle',
    'Leads of which nobody knows yet whether they are sold: a buyer decides later, or its answer was late or lost. Ask the buyer, and say here how it ended.',
    [
      [
        'What does “Buyer bought it” do?',
        'It makes the lead a sale at the price that is known or that you enter: it enters the books, and what was reserved under caps is used. It can be said once.',
      ],
      [
        'What happens if nobody decides?',
        'A sale that a buyer called pending ends as not bought when its time is over: 72 hours, or what its tier says. Other leads wait for a person.',
      ],
      ['Can the buyer tell us by itself?', 'Yes, with a call to the postback address on the page of its tier.'],
    ],
  ),
];

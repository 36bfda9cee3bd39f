/** Promotions, the testing lab and A/B tests. */
import { page } from './write-help.ts';

export const growthHelp = [
  ...page(
    'promotions',
    'Pay publishers more for some days: a fixed amount or a percentage on top of the payout, out of our margin, with a limit of leads or money that is never exceeded.',
    [
      [
        'Two promotions are for the same lead. Which one pays?',
        'One alone: the narrowest. A publisher tier comes before a sub id, that before a publisher, and that before a campaign.',
      ],
      [
        'Can a promotion make a sale a loss?',
        'No. It may go below the campaign’s least margin where you allow that, down to nothing and never further. What does not fit is cut, and the sale says so.',
      ],
      [
        'When does the publisher hear of it?',
        'At the ping, where it pings, and with the price of the sale. What a ping was promised is paid at its post, also after the last day.',
      ],
    ],
  ),
  ...page(
    'testing-lab',
    'Send a lead through the real engine: by the published tree, the draft or an earlier one, to simulated buyers that say what you tell them, or to real ones as a test lead. Nothing of it is booked or counted.',
    [
      [
        'What is the difference between simulated and real buyers?',
        'A simulated buyer is never called: you choose what it answers, and see the request it would have got. A real buyer is called, with a test lead. Do that only when it expects it.',
      ],
      [
        'A lead of yesterday went wrong. Can I try it again?',
        'Yes: press “Try it again in the testing lab” on its page. Its personal values are used, and not shown.',
      ],
    ],
  ),
  ...page(
    'testing-lab.samples',
    'Leads that are kept to be tried again after each change: the one that must be sold, and the one that must be refused.',
    [
      ['Which values do I use?', 'Invented ones that look real. A person’s data do not belong here.'],
      ['Who sees them?', 'Who may open the testing lab of this vertical. They are kept sealed and stand in no log.'],
    ],
  ),
  ...page(
    'testing-lab.replay',
    'Stored leads of a campaign go once more through the published tree and through another one, without a buyer hearing of it. The result lays both beside what really happened.',
    [
      [
        'How far can I believe it?',
        'Compare the published tree with what really happened: so far apart are simulation and life. The result lists what it rests on, and what cannot be simulated.',
      ],
      [
        'Does it slow down leads that come now?',
        'It runs beside them, in a thread of its own. You can leave the page; results are kept for 180 days.',
      ],
      [
        'Can I publish what I replayed?',
        'A draft, yes: from the result. Other settings, such as prices or margins, are changed where they are set.',
      ],
    ],
  ),
  ...page(
    'testing-lab.eligibility',
    'Links that open the eligibility checker for somebody without a sign-in, such as a publisher. Each ends by itself, and can be revoked.',
    [
      [
        'What does the link show?',
        'Which buyer tiers could take a lead now, and why the others could not, for the publisher tiers you chose. It sells nothing.',
      ],
      ['I have lost the link. Can I see it again?', 'No, it is shown once. Revoke it and make another.'],
    ],
  ),
  ...page(
    'eligibility-checker',
    'Says which buyers could take this lead now, and why the others could not. Nothing is sold, sent or kept.',
    [
      [
        'Will the lead be sold if a buyer is eligible?',
        'Not surely. The buyer itself has not been asked, and caps may fill in the meantime.',
      ],
      ['The link does not open any more. Why?', 'It has ended, or it was revoked. Ask whoever sent it for a new one.'],
    ],
  ),
  ...page(
    'ab-testing',
    'Split the consumers of a campaign over two to five variants and see which one earns more, with an interval that tells whether the difference is real.',
    [
      [
        'When may I stop?',
        'Whenever you like: the interval stays right however often you look. As long as it holds nothing (0), the difference is not proven; the page says how many more leads are needed.',
      ],
      [
        'What is the same for all variants?',
        'Caps, breakers, hours and filters belong to the buyer tiers, and all variants share them. A change there is a change for all.',
      ],
      [
        'What does promoting do?',
        'It publishes the winner for the whole campaign, from the next lead on. A tree can be rolled back in Flow control.',
      ],
    ],
  ),
];

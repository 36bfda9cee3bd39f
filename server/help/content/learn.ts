/** What somebody reads who is new to lead distribution. */
import { article, page } from './write-help.ts';

export const learnHelp = [
  ...page(
    'learn',
    'Lead distribution in a few words: a consumer fills in a form on a publisher’s site; we check the lead, offer it to buyers in the order of a ping tree, and sell it to the best one within seconds.',
    [
      [
        'Where do I begin?',
        'With “How does a lead travel?” below. Then open Leads, choose one that was sold, and read its page from top to bottom: every step and every buyer stands there with its reason.\n\nTo set something up, Flow control shows a campaign as a picture. Where there is no campaign yet, it offers a guided set-up that ends with a sold test lead.',
      ],
      [
        'How can I try something without harm?',
        'In the testing lab. A lead that is sent there to simulated buyers is decided like any other, and nothing of it is sold, counted or billed. Changes of a tree are drafts until they are published, and an earlier tree can be brought back.',
      ],
    ],
    ['glossary'],
  ),
  article(
    'learn.1-how-a-lead-travels',
    ['overview', 'leads', 'flow-control'],
    'How does a lead travel?',
    [
      'It comes in. The publisher’s program posts the lead with its posting key. From then on it is stored: no buyer hears of a lead that could still be lost.',
      'It is checked. Are the fields right? May this publisher tier send now? Does it fit the filters, is the person on a suppression list, was the same consumer here before? A lead that fails ends here, and the publisher hears why.',
      'It is offered. The ping tree of the campaign names groups of buyer tiers. Each tier must be open at this hour, have room under its caps, want such a lead and leave us enough margin. Those that may be asked are asked by the mode of their group: in order, highest price first, in an auction, in turn, or by weight. At most 20 buyer tiers are tried for one lead.',
      'It is sold, or not. The first buyer that accepts gets it, and the publisher is answered at once with price and redirect. If nobody buys, the lead ends unsold. Either way its page tells what every buyer said, or why it was not asked.',
    ].join('\n\n'),
  ),
  article(
    'learn.2-who-earns-what',
    ['overview', 'statement', 'campaign'],
    'Who earns what?',
    [
      'The buyer pays for the lead: that is revenue. We pay the publisher: that is payout. What stays is margin.',
      'An example: a buyer pays 40.00. The publisher tier gets a share of 70 percent, which is 28.00. The margin is 12.00. If 100 leads came, and this was the only one sold, the earnings per lead (EPL) are 0.40: revenue divided by all leads.',
      'A campaign can ask for a least margin. With 15.00 the buyer of the example would not have been asked at all, and the lead’s page would say so.',
      'Amounts are exact to four decimals and never rounded on the way. Every sale, return, payment and adjustment is entered once for all sides, so statements of buyers, publishers and house agree.',
    ].join('\n\n'),
  ),
  article(
    'learn.3-why-was-it-not-sold',
    ['leads', 'lead', 'lead-flow.reason-report'],
    'Why was a lead not sold?',
    [
      'Open the lead. “Invalid” means that a field was missing or wrong; “Rejected” that a rule of the publisher tier refused it, such as a cap, an hour, a filter or a list; “Duplicate” that the same consumer came earlier.',
      '“Unsold” means that every buyer that could be asked said no. Look at the lines of the buyers: declined is the buyer’s own decision; filtered is ours, with the cap, hour or filter that decided; timed out and error are worth a call to the buyer.',
      'If no line is about a buyer, the tree was empty, or time was over before its first buyer’s turn.',
    ].join('\n\n'),
  ),
  article(
    'learn.4-connect-a-buyer',
    ['buyers', 'buyer', 'tier'],
    'How do I connect a buyer?',
    [
      'Add the buyer, then a buyer tier in its page. Choose how it is paid for: a fixed price, or the bid it answers with.',
      'Under Endpoint write the address the buyer gave you, and map our fields to its names, row by row. The preview shows the request as it will go out. Paste an answer from the buyer’s document to see how it is read: what means sold, where the price stands.',
      'Make a test call when the buyer expects it. Keep good answers as samples: they are judged at every later change, so that a slip in the rules is noticed before it costs a sale.',
      'Set caps and hours, put the tier into the tree in Flow control, and publish.',
    ].join('\n\n'),
  ),
  article(
    'learn.5-connect-a-publisher',
    ['publishers', 'publisher', 'tier', 'features-api'],
    'How do I connect a publisher?',
    [
      'Add the publisher, then a publisher tier in the campaign it will send to. Say how it is paid, and set caps, hours and filters where you need them.',
      'Make a posting key on the tier. It is shown once: send it to the publisher by a safe way. API documentation (in the quick view, or at /docs) says how leads are posted.',
      'Let the publisher send leads with test values, or with “test” set, until its side works. They are told what would happen, and nothing is sold.',
    ].join('\n\n'),
  ),
  article(
    'learn.6-change-a-tree-safely',
    ['flow-control', 'campaign', 'testing-lab.replay', 'ab-testing'],
    'How do I change a tree safely?',
    [
      'Draw the change as a draft in Flow control. It does nothing yet.',
      'Replay last week’s leads through it in the testing lab: you see what it would have sold and earned, and how far that can be believed.',
      'Publish it. If you are not sure, do not send everybody there: start an A/B test, which gives a part of the consumers the new tree and tells you when the difference is real.',
      'If something is wrong, go back to an earlier tree with one click. The next lead goes by it.',
    ].join('\n\n'),
  ),
];

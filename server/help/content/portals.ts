/** The portals of buyers and publishers, and what they ask for. */
import { page, term } from './write-help.ts';

export const portalHelp = [
  ...page(
    'portal-buyer',
    'Your own home: the leads you bought, what you were offered, your caps, returns and account. Nothing of anybody else is here.',
    [
      [
        'How do I give a lead back?',
        'Open it in Leads and press “Give it back”, within its days and with one of the reasons. Where your tier says so it is given back at once; else the organization decides, and you hear by mail. It counts when you asked, not when they decide.',
      ],
      [
        'How do I change my caps, hours or price?',
        'In “Tiers and contacts” ask for a change. All stays as it is until the organization approves it; under Requests you see the answer, and can take back what is not decided.',
      ],
      [
        'Why is a value shown with dots?',
        'Personal values are masked on every screen. You have them in full in your own system, as they were sent.',
      ],
    ],
  ),
  ...page(
    'portal-publisher',
    'Your own home: the leads you posted and what became of them, your payout, caps, returns, account and posting specification.',
    [
      ['Why was my lead not sold?', 'The reason stands beside it, as your program was told. What single buyers said is not told.'],
      [
        'What is “Given back”?',
        'A buyer returned the lead within its days, and your payout for it was taken back, as you agreed with the organization. The reason stands under Returns.',
      ],
      ['Where is my posting specification?', 'In “Tiers and contacts”, beside each tier: fields, answers and samples, ready to copy.'],
    ],
  ),
  ...page(
    'change-requests',
    'What buyers and publishers ask for in their portals. An approval changes the record as if you had done it yourself.',
    [
      [
        'What does “Changed since” mean?',
        'Somebody changed the same fields after it was asked. Look at what they are now: approving makes them as they were asked all the same.',
      ],
      ['Who hears of it?', 'Who asked, by mail, with your word. The change log names both of you.'],
      [
        'How does somebody get a portal?',
        'The owner binds a member of the team to one buyer or publisher, on the page Team, or invites them so.',
      ],
    ],
  ),
  term(
    ['portal'],
    ['portal-buyer', 'portal-publisher', 'change-requests', 'team', 'home-buyer', 'home-publisher'],
    'What a member of the team sees who is bound to one buyer or one publisher: that company’s own leads, figures, caps, returns and statements, and nothing of anybody else.',
  ),
];

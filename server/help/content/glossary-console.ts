/** Words about the console itself. */
import { term } from './write-help.ts';

export const consoleTerms = [
  term(
    ['Region', 'Vertical'],
    ['regions', 'no-vertical', 'configuration', 'home', 'team', 'learn'],
    'A region is a country we work in; a vertical is a product in it, such as payday loans. All work happens in one vertical of one region: choose them in the header.',
  ),
  term(
    ['View', 'Saved view'],
    [
      ...['lead-flow.inbound', 'lead-flow.outbound', 'lead-flow.trending', 'lead-flow.reason-report', 'lead-flow.redirect-report'],
      ...[
        'lead-flow.performance-report',
        'lead-flow.buyer-timeout-track',
        'subid-specific-report',
        'page-stats',
        'payment-processor-stats',
      ],
      ...['comm-maps', 'compare-stats'],
    ],
    'Span, filters, grouping, columns and order of a report, kept by a name under “Views” in its head. A span such as this week stays one. A view can open the page for you; who sets a vertical up can share one with everybody who may open the page there.',
  ),
  term(
    ['Primary field'],
    ['configuration', 'lead', 'regions'],
    'The field of a vertical that tells one consumer from another, and that leads are called by in lists.',
  ),
  term(
    ['Field'],
    ['configuration', 'lead'],
    'One thing a lead of a vertical is made of, such as a state or an income: with its type, whether it must be there, and what it may hold.',
  ),
  term(
    ['Member', 'Owner', 'Super admin'],
    ['team', 'no-permission', 'online-users', 'account'],
    'A member sees the pages that were ticked for them. The owner may do everything in the organization. A super admin looks after the whole installation, across organizations.',
  ),
  term(
    ['Permission'],
    ['team', 'no-permission', 'home'],
    'A tick at a page, in one vertical of one region. A page opens where the region, the vertical and the page are all ticked.',
  ),
  term(
    ['Reporting time zone'],
    ['change-profile', 'preferences', 'overview', 'lead-flow.trending'],
    'Where a day begins in your figures: UTC, New York (EST) or London (BST). The organization has one for everybody; you may choose your own.',
  ),
  term(
    ['Two-factor sign-in', 'Recovery codes'],
    ['change-password', 'account'],
    'After the password a code of an authenticator app is asked for. Recovery codes, each good once, help when the app is lost.',
  ),
  term(
    ['Session'],
    ['change-password', 'online-users', 'account'],
    'The time from a sign-in to a sign-out in one browser. It ends after 30 minutes in which nobody touched the page.',
  ),
  term(
    ['Fresh proof'],
    ['change-password', 'security-log'],
    'Password, and code where there is a second factor, given within the last ten minutes: asked for before other sessions end or the way in changes.',
  ),
  term(['Change log'], ['change-logs-mgmt'], 'Who changed what in the set-up, when and from where, with what was before and after.'),
  term(
    ['Draft'],
    ['flow-control', 'testing-lab.replay'],
    'A tree that is being drawn and does nothing yet. It is shared by everybody who works on the campaign, and is live once it is published.',
  ),
  term(
    ['Job'],
    ['track-process', 'data-mgmt.inbound'],
    'Work that goes on by itself, such as an import. You can leave the page; another part of the system goes on with it if one fails.',
  ),
  term(['Quick view'], ['home'], 'Alt+P opens a search over everything that may be opened: pages, buyers, publishers, campaigns, tiers.'),
  term(
    ['Replay'],
    ['testing-lab.replay', 'testing-lab'],
    'Leads that came before go once more through a tree, without a buyer hearing of it, to see what another tree would have earned.',
  ),
  term(
    ['Sample lead'],
    ['testing-lab.samples', 'testing-lab'],
    'A lead with made-up values that is kept to try things with. Its values are kept sealed.',
  ),
  term(
    ['Eligibility checker'],
    ['testing-lab.eligibility', 'eligibility-checker'],
    'A page, opened by a link of its own, that says which buyer tiers could take a lead now, and why the others could not.',
  ),
  term(
    ['Variant'],
    ['ab-testing'],
    'One of the ways an A/B test compares: with a tree, margin, floor or publishers’ prices of its own. The same consumer always goes by the same one.',
  ),
  term(
    ['Lift', 'Confidence interval'],
    ['ab-testing'],
    'How much better or worse a variant does than the live campaign. The interval is the range the true lift is very likely in: while it holds nothing (0), nothing is proven.',
  ),
  term(['Webhook'], ['features-api'], 'A call that we make to another program when something happens, so that it need not keep asking.'),
  term(
    ['Prompt', 'Tag'],
    ['help-content'],
    'A prompt is what the help popover of a page says. Tags join it to terms, questions and articles: what has a tag of the prompt stands behind “more info”.',
  ),
  term(
    ['Node', 'Heartbeat'],
    ['installation-health'],
    'One running copy of Sluice. Several share one database; each says every two seconds that it lives, and when one falls silent another finishes its leads.',
  ),
  term(
    ['Latency', 'Percentile', 'p90'],
    ['lead-flow.outbound', 'lead-flow.buyer-timeout-track', 'server-logs'],
    'How long a buyer takes to answer. Nine of ten answers come within the 90th percentile (p90): it says more than the average, which a few very slow calls spoil.',
  ),
];

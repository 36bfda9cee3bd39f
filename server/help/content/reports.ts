/** Pages that add up, and the logs. What they are for; not how each is built. */
import { page } from './write-help.ts';

export const reportsHelp = [
  ...page(
    'lead-flow.inbound',
    'What publishers send: by publisher, publisher tier, campaign or sub id, how much of it is sold, and what it costs and earns.',
    [
      [
        'Which publisher is worth more?',
        'Compare earnings per lead, not revenue: a small source of good leads earns more per lead than a large one of poor leads. Then look at why the rest was not sold.',
      ],
      [
        'What was it before?',
        'Choose the columns “before” and “change”: each row stands beside what it had in the span that the report is compared with. Sort by a change to see who lost or gained the most.',
      ],
      [
        'A publisher’s own count differs from ours. Why?',
        'Usually the day begins in another time zone, test leads are counted on one side only, or repeated calls are counted twice there. The same call again is one lead for us.',
      ],
    ],
  ),
  ...page(
    'lead-flow.outbound',
    'What buyers take: by buyer and buyer tier, how many attempts were accepted, declined, failed or came too late, what was paid, and how fast the buyer answers.',
    [
      [
        'A buyer declines more than before. What do I look at?',
        'First the reasons it gives, then whether other leads reach it: a change of filters, of the order in the tree, or of a publisher sends it a different kind of lead.',
      ],
      [
        'Has a buyer become slower?',
        'Choose “Answer times” beside the chart: half and nine of ten of its calls, hour by hour or day by day, beside the span before.',
      ],
      [
        'Does a buyer pay what it bid?',
        'Below the table stands, by buyer tier, how many sales that came of a bid were at another price, and what the difference comes to. Whether another price is taken is a rule of the tier: “When the post pays another price”.',
      ],
      [
        'Why are there more attempts than leads?',
        'One lead is offered to several buyer tiers, one after the other or at once in an auction. Each is an attempt.',
      ],
    ],
  ),
  ...page(
    'lead-flow.trending',
    'How figures move over hours and days, beside an earlier span, so that a change is seen before it is felt.',
    [
      [
        'Which span do I compare with?',
        'One with the same days of the week: leads of a Sunday are few whatever you do. Last week beside this week says more than yesterday beside today.',
      ],
      [
        'A line drops to nothing. What happened?',
        'Nobody sends, or nobody buys. The overview says which: look at paused tiers, closed hours, full caps and buyers that do not answer.',
      ],
    ],
  ),
  ...page(
    'lead-flow.data-request',
    'For a consumer who asks what is known of them, or wants it erased. Whoever answers such a request must first be sure who is asking.',
    [
      [
        'What do I need from the consumer?',
        'An e-mail address, phone number or primary field that the leads can be found by, and a proof that they are that person. Do not ask for more than you need.',
      ],
      [
        'What if an erased person is sent again?',
        'Their lead is refused and nothing of it is kept, unless you said that they may come again. At their own wish you can take them again: search for them, and choose so.',
      ],
      [
        'What if something was damaged?',
        'A lead that cannot be opened is listed all the same, and erased as a whole. A refused call or sample lead that cannot be opened cannot be searched either: the job says how many there were, and so does the change log.',
      ],
      [
        'What is found beside leads?',
        'Sample leads and refused calls with an e-mail address, phone number or long number, such as that of a social security card, of the person or of one of the leads found. A name or an address alone is nobody’s own: the job says how many there are that nobody could be known by.',
      ],
      [
        'What do I write as the reason?',
        'The number of the request, or what it was about. Do not name the person: the reason stays in the change log when the person is gone.',
      ],
      [
        'Must buyers be told?',
        'Who received the consumer’s data stands on each lead. Whether you must pass the request on depends on the law of your region: ask whoever is responsible for privacy.',
      ],
    ],
  ),
  ...page('lead-flow.performance-report', 'Publishers beside buyers: which source suits which buyer, by volume, acceptance and margin.', [
    [
      'How do I use it?',
      'Look for a buyer that accepts nearly nothing from one publisher: a filter saves both of them time. And for a pair that accepts nearly everything: there is room for more.',
    ],
    [
      'What are “All others”?',
      'Publishers and buyers beyond the busiest, added up. Narrow the report to one of them to see it alone; the file has every pair.',
    ],
    [
      'When are there enough leads to judge?',
      'A handful proves nothing. With fewer than about a hundred attempts a rate may be twice as high or half as high by chance alone.',
    ],
  ]),
  ...page(
    'lead-flow.redirect-report',
    'Sold leads whose consumers went on to the buyer, and those that did not. A buyer that never meets its consumers soon buys no more.',
    [
      [
        'A consumer was not redirected. Why?',
        'The publisher did not follow the link, followed it with a program instead of the consumer’s browser, or the link had ended: it works for 24 hours, or as long as the preferences say.',
      ],
      [
        'Why is nothing known of some publishers?',
        'A publisher tier may get the buyer’s own address instead of ours. Then nobody passes by here.',
      ],
    ],
  ),
  ...page(
    'lead-flow.reason-report',
    'Why leads are not sold: what buyers say, and which of our own caps, hours and filters kept leads from them.',
    [
      [
        'Filtered or declined: what is the difference?',
        'Filtered is our own decision, made before the buyer was asked. Declined is the buyer’s. You change the first in the tier, the second by talking to the buyer.',
      ],
      [
        'Many leads are duplicates. Is that bad?',
        'Some are normal: people fill in forms twice. A sudden rise at one publisher means that it sends the same people again, or that its program repeats calls.',
      ],
    ],
  ),
  ...page(
    'lead-flow.buyer-timeout-track',
    'How fast buyers answer, and how often too late. Time spent waiting for one buyer is not there for the next.',
    [
      [
        'What is a good time limit?',
        'A little more than the buyer usually needs: about its 90th percentile. A longer one costs every lead that it does not answer; a shorter one cuts off sales.',
      ],
      [
        'What becomes of an answer that comes too late?',
        'The answer to a post is still read. A yes is a late accept and waits under “To settle”: it is never sold twice. A bid that comes late is not heard, for the auction has gone on without it.',
      ],
      [
        'What would another limit have cost?',
        'Each sale counts at the slower of the calls it took, its bid or its post. A limit below that would have cut the call off, and the sale with its revenue would have been lost.',
      ],
    ],
  ),
  ...page(
    'server-logs',
    'What went over the wire: calls of publishers to us, and ours to buyers. Personal values and secrets are masked.',
    [
      [
        'I have a lead id. Is this the right place?',
        'The page of the lead is quicker: all of its calls stand there in order. Logs are for calls that never became a lead, and for looking at many at once.',
      ],
      [
        'Can I search for a word in a request or an answer?',
        'Yes, in the field for text: any part of what is shown, in any case. Personal values are found by their masks alone. Each call has to be opened for it, so a search says how far back it came; other filters make it reach further.',
      ],
      [
        'Why does somebody not see the logs?',
        'The page must be ticked for them, and the preferences of the organization can keep people out of the buyer-tier logs whatever is ticked.',
      ],
    ],
  ),
  ...page('page-stats', 'Landing pages and landers: how many people saw them, sent the form, and became a sold lead.', [
    [
      'How do I have a page counted?',
      'Add a landing page and put its line of script into the page. Mark the form with data-sluice-submit, and post the leads with landingPageId. Landers of cards are counted by themselves.',
    ],
    [
      'What does conversion say?',
      'How many views became a sold lead: sold leads that name the page, of its views. A lead that is settled or returned later still counts where it came.',
    ],
    [
      'What was it before?',
      'Choose the columns “before” and “change”: each page stands beside what it had in the span that the report is compared with. Sort by a change to see which gained or lost the most.',
    ],
    [
      'Which of two pages is better?',
      'The one that earns more per visitor. A form that is easily filled brings more leads, and often ones that sell worse.',
    ],
    [
      'Why do visitors and leads not agree with another counter?',
      'Programs that only look at pages, people who block counters, and days that begin in another time zone.',
    ],
  ]),
  ...page('landing-page', 'One landing page: where it stands, whose leads may name it, and the line of script that counts its visitors.', [
    [
      'Does the script set a cookie, or know who comes?',
      'Neither. It says that the page was seen, once for each time it is loaded, and that its form was sent. Nothing of the visitor is sent or kept.',
    ],
    [
      'The page counts no views. Why?',
      'Its status must be active, and its content security policy must allow this host under script-src and connect-src. Blockers keep some visitors from being counted anywhere.',
    ],
    [
      'Our form is sent by a script of our own. How is it counted?',
      'Call sluicePage.submit() when it was sent. A visit counts once, however often it sends.',
    ],
    [
      'A lead came with the landingPageId and does not count. Why?',
      'The page must be of the publisher tier whose key posted it. One that is not is kept as an unknown field and warned of in the answer.',
    ],
  ]),
  ...page(
    'payment-processor-stats',
    'Payments that processors report back: approved or declined, and how that agrees with the moves of BINs.',
    [
      [
        'What do I use it for?',
        'To see whether BINs are sorted well: one on ACCEPT whose payments are mostly declined belongs elsewhere, and one on BLOCK costs sales if its neighbours do well.',
      ],
      [
        'How do I connect a processor?',
        'Add it under “Set up processors” and give it the address that its page shows, with the sample that fits. It calls it by GET or POST, one payment or up to 200 at once.',
      ],
      [
        'What was it before?',
        'Choose the columns “before” and “change”: each row stands beside what it had in the span that the report is compared with, also a decline reason that there is not any more. Sort by a change to see what gained or lost the most.',
      ],
      [
        'A payment was refunded. Does it count twice?',
        'No. Whatever is reported with the same transaction id is one payment. It counts as approved, when it was tried, and as a refund or chargeback beside that. The list of payments tells everything that was said of it, in order.',
      ],
      [
        'A payment stands under “No lead”. Why?',
        'The processor named no lead, none of this vertical, or something that several leads have. Its answer says which. Reporting it again with our id of the lead joins it. “Payments” beside the row shows which they are, as it does of those without a BIN, a buyer or a decline reason.',
      ],
      [
        'Why are moves told that a BIN does not have any more?',
        'A payment keeps the move that its BIN had when it was reported, for its campaign and publisher: that is the one that was decided by.',
      ],
      [
        'Does a move change payments?',
        'No. A move decides about leads: BLOCK refuses them, the others can be asked for in filters of tiers.',
      ],
    ],
  ),
  ...page(
    'comm-maps',
    'Where leads come from and where they are sold, on a map: states of the United States, parts of the United Kingdom.',
    [
      [
        'A state has many leads and few sales. Why?',
        'Often no buyer takes leads from there: buyers are licensed state by state, and their filters say so. That is room for a new buyer.',
      ],
      [
        'Where does a lead’s place come from?',
        'From its field for the state or nation, else from its ZIP code or postcode where that lies in one alone; never from the consumer’s connection. Leads that say neither stand in the list as not known.',
      ],
      [
        'How do I move the map?',
        'Drag it, zoom with the buttons or with Ctrl and the wheel, or use the arrow keys and plus and minus. The globe shows the whole country. The list beside it says the same and leads to the same places.',
      ],
    ],
  ),
  ...page(
    'compare-stats',
    'Two spans of time, publishers, buyers, campaigns, groups, variants, decline reasons, states, verticals or regions beside each other, with the difference.',
    [
      [
        'What is the difference measured from?',
        'From the first to the second: more in the second is a plus. Rates differ in points, all else also in per cent of the first.',
      ],
      [
        'What is a fair comparison?',
        'Spans of equal length with the same days of the week, and partners that get the same kind of lead. Otherwise you compare calendars.',
      ],
      [
        'A difference is large. Is it real?',
        'Look at how many leads stand behind it. To know whether a change caused it, run an A/B test: both sides then meet the same days and the same consumers.',
      ],
    ],
  ),
  ...page('subid-specific-report', 'The figures of one publisher’s sub ids: which of its sites or partners bring leads that sell.', [
    [
      'One sub id sells nothing. What can I do?',
      'Ask the publisher to stop it, or give that source a publisher tier of its own: with its own key it gets its own price, caps and filters.',
    ],
    [
      'Why do some leads have no sub id?',
      'The publisher did not send one. A publisher tier can name one that is used where a lead brings none.',
    ],
  ]),
];

/** Words about how a lead finds its buyer. */
import { term } from './write-help.ts';

export const treeTerms = [
  term(
    ['Campaign'],
    ['campaigns', 'campaign', 'flow-control', 'learn'],
    'Ties publisher tiers, who send, to a ping tree of buyer tiers, who buy. It says how much must be kept of each sale and how long the whole tree may take.',
  ),
  term(
    ['Ping tree', 'Tree'],
    ['flow-control', 'campaign', 'ab-testing', 'testing-lab.replay', 'learn'],
    'The order in which buyer tiers are asked: groups from first to last, each with a mode of its own. A lead goes from group to group until it is sold, nobody is left, or its time is over.',
  ),
  term(
    ['Group'],
    ['flow-control'],
    'A step of a ping tree with its buyer tiers and a mode: by priority, highest price first, auction, in turn, or by weight. Modes may be mixed freely in one tree.',
  ),
  term(
    ['Ping and post', 'Ping', 'Post'],
    ['tier', 'flow-control', 'lead', 'learn'],
    'A ping is part of a lead, without what tells who the person is: the buyer answers it with a bid. A post is the whole lead, handed over to who won.',
  ),
  term(
    ['Bid'],
    ['flow-control', 'lead', 'tier'],
    'The price a buyer names in answer to a ping. One below the floor is not posted, and a bid of nothing is none.',
  ),
  term(
    ['Auction'],
    ['flow-control', 'tier'],
    'A mode of a group: all its members are pinged at once, those with a fixed price take part with that, and the lead is posted to the best bid. If that buyer says no, the next best is asked.',
  ),
  term(
    ['Quality factor'],
    ['tier', 'flow-control'],
    'Weighs the bid of a buyer tier in auctions: with 0.9 a bid of 10 competes as 9. What the buyer pays stays its bid. 1 is neutral.',
  ),
  term(
    ['Publisher tier'],
    ['publishers', 'publisher', 'tier', 'home-publisher'],
    'One seat of a publisher in one campaign: how its leads come, by posting key (API) or by landers of cards, how it is paid, its filters, caps and checks. A publisher may have many.',
  ),
  term(
    ['Buyer tier'],
    ['buyers', 'buyer', 'tier', 'flow-control', 'home-buyer', 'compare-stats'],
    'One way of selling to a buyer: where the lead is sent, how the answer is read, what is paid, when and how many it takes. A buyer may have many, at several places of a tree.',
  ),
  term(
    ['Cap', 'Caps'],
    ['tier', 'buyer', 'flow-control', 'overview', 'home-buyer'],
    'A limit of leads or money within a span of time. It is exact however many leads come at once, and begins anew in the time zone that is set for it, not at midnight of ours.',
  ),
  term(
    ['Filter'],
    ['tier', 'lead-flow.reason-report'],
    'Conditions on the fields of a lead. A publisher tier refuses what does not fit, a buyer tier is passed by.',
  ),
  term(['Pause date'], ['tier', 'flow-control'], 'A day on which a tier stands still, such as a holiday.'),
  term(
    ['Breaker'],
    ['tier', 'overview', 'flow-control'],
    'Leaves a buyer tier alone for some minutes when too many of its calls fail or time out, so that it does not cost every lead its time. Then one lead at a time tries it again.',
  ),
  term(['Throttle'], ['tier'], 'Gives a buyer tier that is slow, or fails now and then, only a share of its leads until it is well again.'),
  term(
    ['Time limit', 'Timeout'],
    ['tier', 'campaign', 'lead-flow.buyer-timeout-track'],
    'How long a buyer has to answer. It is never more than what the publisher will still wait, and the buyer is told how much that is.',
  ),
  term(
    ['P2C', 'Pre-check'],
    ['third-party-service', 'tier', 'lead'],
    'A service that is asked whether to buy a lead at all, before any buyer is considered. When it fails, a rule of the publisher tier decides.',
  ),
  term(
    ['Third-party validation', 'Third-party service'],
    ['third-party-service', 'tier', 'lead'],
    'A check of somebody else, such as whether a phone number is in use, asked before the lead goes to the buyer that wants it.',
  ),
  term(
    ['Mapping'],
    ['tier', 'third-party-service'],
    'Which of our fields goes under which name to a buyer, and how it is written there. The endpoint editor shows the request as it will go out.',
  ),
  term(
    ['Endpoint'],
    ['tier', 'third-party-service', 'features-api'],
    'The address a buyer is called at, with how the call is made and how its answer is read.',
  ),
  term(['Loss notice'], ['tier', 'lead'], 'A call that tells a buyer that bid and was outbid, after the sale. No lead waits for it.'),
];

/** Words about money. */
import { term } from './write-help.ts';

export const moneyTerms = [
  term(['Revenue'], ['overview', 'statement', 'lead-flow.outbound', 'compare-stats', 'learn'], 'What buyers pay us for sold leads.'),
  term(
    ['Payout'],
    ['overview', 'publisher', 'statement', 'promotions', 'lead-flow.inbound', 'learn'],
    'What we pay publishers for leads that were sold: a fixed price, at least some price, or a share of what the buyer pays, as the publisher tier says.',
  ),
  term(
    ['Margin'],
    ['overview', 'campaign', 'promotions', 'ab-testing', 'lead-flow.performance-report', 'learn'],
    'What is left of the revenue after the payout. A campaign says how much it must be at least: a buyer tier that would leave less is not asked.',
  ),
  term(
    ['EPL', 'Earnings per lead'],
    ['overview', 'lead-flow.inbound', 'lead-flow.trending', 'comm-maps', 'compare-stats'],
    'Earnings per lead: the revenue, divided by all leads that came, sold or not. It makes sources of different size comparable.',
  ),
  term(
    ['Acceptance rate', 'Accept rate'],
    ['overview', 'lead-flow.outbound', 'lead-flow.performance-report', 'page-stats', 'payment-processor-stats'],
    'The share of leads that were sold.',
  ),
  term(['Floor'], ['campaign', 'tier', 'ab-testing'], 'A price below which a lead is not sold.'),
  term(
    ['Price model'],
    ['tier', 'publisher'],
    'How a publisher tier is paid. Fixed price: the same for every sold lead. Minimum price: at least that, or the lead is not sold. Share: a percentage of what the buyer pays.',
  ),
  term(
    ['Prepaid', 'Credit limit', 'Balance'],
    ['buyer', 'statement'],
    'A buyer pays in advance, or may owe up to a limit. One whose balance cannot pay for the next lead is passed by, not one lead later.',
  ),
  term(
    ['Adjustment'],
    ['statement'],
    'An entry in the books of a buyer or publisher that is neither sale nor return nor payment, such as an agreed discount. It always says what for.',
  ),
  term(
    ['Statement'],
    ['statement', 'buyers', 'publishers'],
    'What happened between us and a company in one month: balance at its beginning, sales, returns, adjustments, payments, balance at its end.',
  ),
  term(
    ['Promotion'],
    ['promotions'],
    'A rise of the payout for some days, paid out of our margin: for a publisher tier, a sub id, a publisher or a campaign.',
  ),
  term(
    ['Multi-sell'],
    ['campaign', 'lead'],
    'A campaign may sell one lead to several buyers, never twice to the same one. Most sell exclusively: once.',
  ),
];

/** List management: suppression lists, banks and BINs, and the jobs that fill them. */
import { page } from './write-help.ts';

export const listsHelp = [
  ...page(
    'data-mgmt.inbound',
    'Fill lists from a file, chosen or dragged here, or from pasted lines: choose what the lines hold, look at the guessed columns, and start. The import goes on by itself; its result tells which lines could not be used.',
    [
      [
        'How large may a file be?',
        'Up to a million rows, as CSV or plain lines in UTF-8. Columns are guessed from the first rows, and can be chosen anew before you start.',
      ],
      [
        'What do Add, Replace and Remove mean?',
        'Add brings in new entries and renews known ones. Replace takes the file for the whole list: at the end, what it does not have goes. Remove takes out what stands in the file.',
      ],
      [
        'May a wrong file empty a list?',
        'No. Where no row of a file can be read, or more cannot than can, an import that replaces fails and takes nothing out; rows that could be read are added. If you know that most rows are wrong, tick “Replace although most rows are wrong”. To empty a list, import what it holds with Remove.',
      ],
      [
        'Can a program of ours fill a list?',
        'Yes, with a key of the organization, by POST /api/v1/suppression/{list}. The owner makes keys on the page of the suppression lists; each is shown once.',
      ],
      [
        'Can I keep what was imported on record?',
        'Yes. CSV above the earlier imports saves all of them, not only those on the page: what was imported, how, by whom, and what came of it. Print takes those on the page to paper.',
      ],
    ],
  ),
  ...page(
    'data-mgmt.configuration',
    'The suppression lists: what each holds, how long an entry stays, and which tiers use it. A list does something once a tier names it.',
    [
      [
        'Publisher tier or buyer tier: where do I name a list?',
        'At a publisher tier it refuses the lead for everybody: for opt-outs and do-not-call lists. At a buyer tier it passes only that buyer by: for its own customers, whom it does not want to buy again.',
      ],
      [
        'Can I read what is on a list?',
        'No. Only hashes are kept, so that a list gives nobody away. Whether a lead was on it stands on the lead, with the name of the list.',
      ],
      [
        'How long are the people in my leads kept?',
        'For as long as the tab “Retention” says for the vertical; for ever where it says nothing. After that their values are taken out of the lead, and what was sent and answered with them. The lead itself, its outcome, its price and every figure stay.',
      ],
      ['May a list be of hashes?', 'Yes: MD5, SHA-1 or SHA-256, as partners send them. It is said when the list is made, and stays.'],
    ],
  ),
  ...page(
    'data-mgmt.outbound',
    'Leads of this vertical leave here as files: now, as an export, or by a feed that sends what came since its last run to an address of yours, an SFTP server, or by mail. Values of persons are masked unless somebody who may see them asks otherwise, and the change log says who did.',
    [
      [
        'How do I get leads once, for myself?',
        'Choose the span, the leads and the columns here, and press Export now. The file is made in the background and kept for seven days. For what a list shows at this moment, press CSV on the page Leads.',
      ],
      [
        'Which leads does a feed send, and may one be missing or come twice?',
        'Those that came since its run before, each once, also over a change of the clocks and over runs that were missed. A lead that has not ended when its run is made, such as one that a buyer holds, waits for the first run that finds it ended.',
      ],
      [
        'What if a lead is settled or given back after it was sent?',
        'Nothing, unless the feed is set to send such leads again. Then the file has a first column that says new or changed.',
      ],
      [
        'A feed fails. What happens to its leads?',
        'Its run is tried again after 1, 5 and 30 minutes, 2 and 6 hours, and stands among what is wrong meanwhile. Then it has failed: put right what it says, and press Run again. The runs after it go on.',
      ],
      [
        'Why does an SFTP server have to show a key?',
        'By it the server is known again: nothing is sent to one that shows another. The first test pins the key that it shows; compare it with what the owner of the server tells you, or paste the fingerprint yourself.',
      ],
      [
        'How is a file that comes by HTTP known to be ours, and what if its secret got out?',
        'By its signature, which is made with the secret that stands under Test. Make a new secret there: the one before signs nothing from that moment, and files that are refused until the other side has the new one are tried again.',
      ],
      [
        'What if a person in a file is erased?',
        'Every kept file in which it stands is deleted whole. A file of a feed that waits to be sent is made anew without it. What was sent already is with whoever got it.',
      ],
      [
        'Can I keep what was exported, and what a feed sent, on record?',
        'Yes. CSV above the earlier exports, or above the runs of a feed, saves all of them, not only those on the page. No lead stands in it.',
      ],
      ['Who may have exported leads?', 'Whoever the consumer agreed to, and nobody else. Keep files no longer than you need them.'],
    ],
  ),
  ...page(
    'bank-mgmt',
    'Banks by routing number or sort code, each with a move. BLOCK refuses leads that name the bank; the other moves can be asked for in filters of tiers.',
    [
      [
        'A routing number is refused as wrong. Why?',
        'Its last digit is a check of the others. A number that fails the check is mistyped; no bank has it.',
      ],
      [
        'How do tiers use the other moves?',
        'A filter may ask for the field bank_move: a buyer tier can take only leads of banks that are set to ACCEPT, for instance.',
      ],
      [
        'Can I import all banks at once?',
        'Yes, from a file: CSV of any columns, or the FedACH or Fedwire directory of the Federal Reserve Banks as it is. When a file replaces the list, banks that were given a move stay.',
      ],
    ],
  ),
  ...page(
    'bin-mgmt',
    'Ranges of BINs with their moves. A move may be for one campaign, one affiliate, both, or all; the narrowest range and the most specific combination decide.',
    [
      [
        'Which move holds if several fit?',
        'First the narrowest range counts. For it: a specific campaign and a specific affiliate; then a specific campaign and all affiliates; then all campaigns and a specific affiliate; then all of both.',
      ],
      [
        'Can I have the moves of a range as a file?',
        'Yes. Open the range and press CSV above its moves: each stands there in words, for whom it is and what it says.',
      ],
      ['How do I set many at once?', 'Search for the ranges or narrow the list to a move, and set a move for all that are found.'],
      ['Do we store card numbers?', 'No. Of a whole card number only the first eight digits are ever stored, logged or sent on.'],
    ],
  ),
  ...page('bin-lookup', 'Look up one BIN, or paste a list: you see the bank, the move that holds, and what decided it.', [
    ['May I paste whole card numbers?', 'Better not. Should it happen, only the first eight digits of each leave the page.'],
    ['What does UNSORTED mean?', 'Nobody has given the range a move yet. Such leads go through as if nothing were known.'],
  ]),
  ...page('track-process', 'How far a job is, what came of it, and which lines were wrong. You can leave the page: the job goes on.', [
    [
      'A job stands still. What do I do?',
      'Wait a minute: if the part of the system that worked on it has failed, another one goes on from where it was. Its page says when it has ended.',
    ],
    [
      'Why does an import wait for another?',
      'A list is filled by one import after the other, in the order in which they were begun, so that two of them never mix; so are banks, and BIN ranges. Its page leads to the one that it waits for, which may be cancelled.',
    ],
    ['Some lines were wrong. Must I import everything again?', 'No. Mend those lines in a file of their own and import that with Add.'],
  ]),
];

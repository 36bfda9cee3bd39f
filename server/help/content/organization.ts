/** Pages of the organization, of one's own, and those without a place. */
import { page } from './write-help.ts';

export const organizationHelp = [
  ...page('home', 'Where everybody who is signed in may go. What you may open depends on what was ticked for you.', [
    [
      'How do I get anywhere fast?',
      'Alt+P opens the quick view: type a page, buyer, publisher, campaign or tier, and press Enter. “?” lists all keys.',
    ],
    [
      'I miss a page. Why?',
      'It is not ticked for you in this vertical, or you are in another one: look at region and vertical in the header. The owner can change what is ticked.',
    ],
  ]),
  ...page('home-buyer', 'Who buys today, worst first: what is wrong with each buyer, today’s figures per tier, and the way to its leads.', [
    ['Which buyers do I see?', 'Those with tiers in verticals that you may open.'],
    [
      'What does “worst first” mean?',
      'Who cannot buy now stands on top, then who soon cannot, then all others. A click on a heading sorts by its figure instead.',
    ],
  ]),
  ...page(
    'home-publisher',
    'Who sends today, worst first: what is wrong with each publisher, today’s figures per tier, and the way to its leads.',
    [
      [
        'A publisher has sent nothing today. Is that a fault?',
        'Not by itself. Look at whether its tier is paused, has a key, and is open at this hour; then ask the publisher.',
      ],
      ['Why are leads here and no sales?', 'Open its leads: their reasons say whether our rules refuse them or buyers decline them.'],
    ],
  ),
  ...page(
    'team',
    'Who works here, and what each may open: pages per vertical and region. Invite, disable, remove, or hand the ownership over.',
    [
      [
        'What does somebody need to see a page?',
        'Three ticks: the region, the vertical, and the page in it. The owner and super admins need none.',
      ],
      [
        'Somebody leaves. What do I do?',
        'Disable them to keep them out at once, with the way back; remove them to end it. Their open sessions end, and what they did stays in the change log.',
      ],
      ['May a page be ticked in one vertical only?', 'Yes. Permissions are for each vertical by itself.'],
    ],
  ),
  ...page(
    'organization-edit',
    'Name and sub-domain, logos for light and dark ground, the legal footer, reasons for returns, and the whole configuration as a file.',
    [
      [
        'Where do the reasons for returns count?',
        'Wherever a lead is given back: by hand, in a file, by the API. A return must give one of them.',
      ],
      [
        'What is in the configuration file?',
        'Everything that is set up, without secrets and keys. An import is rehearsed first, and comes about as a whole or not at all.',
      ],
    ],
  ),
  ...page(
    'preferences',
    'What holds for the whole organization: the reporting time zone, how amounts are written, where members begin, and which mails the owner gets.',
    [
      [
        'I changed the time zone, and a colleague still sees another. Why?',
        'They have chosen one of their own in the header. Yours is for members who have not.',
      ],
      ['Does the currency convert amounts?', 'No. It says how they are written; amounts stay what they are.'],
    ],
  ),
  ...page('regions', 'The countries you work in and the verticals in them: added, renamed, archived and brought back.', [
    [
      'What does the country of a region decide?',
      'Which states, postcodes and phone numbers are right for its leads. It stays as it was chosen.',
    ],
    ['What happens to leads of an archived vertical?', 'They stay, and can be read. Nothing new is taken until it is brought back.'],
  ]),
  ...page(
    'change-logs-mgmt',
    'Every change of the set-up: who, when, from where, what was before and what came after. One change can be taken back.',
    [
      [
        'Why can a change not be taken back?',
        'Something later depends on it, or the same was changed again. The page says which; take that back first.',
      ],
      ['Who sees this?', 'The owner and super admins. What super admins do in your organization stands here too.'],
    ],
  ),
  ...page(
    'security-log',
    'Who signed in, by what, from where and what came of it; sessions that ended, changes of passwords and second factors, and every call that was refused.',
    [
      [
        'Somebody is guessing at an account. What do I look for?',
        'Many lines “Wrong password” of one person from networks you do not know. Limits hold the guessing off. “Right so far, next step asked for” from an unknown network means that the password is known: have it changed.',
      ],
      [
        'Who sees this?',
        'The owner and super admins. Of a person who is on several teams, tries before an organization is entered stand with each of them; of a member you disabled, those at your own address alone.',
      ],
      ['How long are lines kept?', 'A year, and the rest of their month. Who leaves the team keeps their lines.'],
      [
        'Why does a line say “and 40 more like it”?',
        'Of one person 30 lines a minute are kept one by one; what comes beyond that is counted by its kind. What went well has ten of its own, and is counted by network.',
      ],
      [
        'Why does a line say “not kept”?',
        'From where somebody calls who is not on your team is not yours to know: of an account you invited that has not joined, neither network nor device is kept. Nor are they where a line stands for many networks.',
      ],
    ],
  ),
  ...page(
    'help-content',
    'What the help of every page says, the same for all organizations of this installation. Each change is a version, and every version can stand again.',
    [
      [
        'What happens to my changes at an upgrade?',
        'They stay. An entry that you have changed is never replaced; what comes with the new version is shown beside it, to be taken if you like it.',
      ],
      [
        'How does a text get onto a page?',
        'By tags. The prompt of a page has the page’s key as a tag; every term, question and article with that tag stands behind “more info”.',
      ],
      [
        'May I use formatting?',
        'No, text alone, with an empty line between paragraphs. Whatever looks like HTML is shown as it is written.',
      ],
    ],
  ),
  ...page(
    'installation-health',
    'How the whole installation is: its nodes, its database, what waits and for how long, and what somebody should look at. Super admins see it.',
    [
      [
        'Which line do I begin with?',
        'With “What to look at”: each says in one sentence what is wrong, and below it what to do. What is bad stands above what can wait.',
      ],
      [
        'A node is silent. What happens to its leads?',
        'Another node finishes them within seconds. What a buyer may have got is held, and its organization settles it; nothing is sold twice.',
      ],
      [
        'How current are the figures?',
        'They are read from the database at most every 15 seconds, and the page asks anew as long as you look at it. For a history set up Prometheus and Grafana: docs/operate/monitoring.md.',
      ],
    ],
  ),
  ...page('change-profile', 'Your name, and the address you sign in with.', [
    ['Can I change my e-mail address?', 'It is what you sign in with, and stays. Ask to be invited under the new address.'],
    ['Where do I change when my day begins?', 'With the time zone in the header. It holds in every browser you sign in with.'],
  ]),
  ...page('change-password', 'A new password, two-factor sign-in with its recovery codes, and the sessions that are open in your name.', [
    [
      'There is a session I do not know. What do I do?',
      'End it, then change the password: all other sessions end with that, and a mail tells you about it.',
    ],
    [
      'Why am I asked for my password once more?',
      'Ending other sessions, a new password and new recovery codes ask for what you sign in with, if that was more than ten minutes ago: an open session alone is not enough.',
    ],
    [
      'I have no recovery codes left. And now?',
      'Make new ones here while you are signed in. Without app and codes, “Lost your authenticator?” at the sign-in sends a link to your e-mail address.',
    ],
  ]),
  ...page('online-users', 'Who of your organization is signed in now.', [
    ['When does somebody count as online?', 'When they have done something within the last five minutes.'],
    [
      'Can I end somebody’s session?',
      'Whoever runs the team can. The person has to sign in again; to keep them out, disable them under Team.',
    ],
  ]),
  ...page('no-permission', 'Nothing is open to you here yet: no page was ticked for you in any vertical.', [
    ['What do I do now?', 'Ask the owner of the organization to tick pages for you under Team. Load this page again afterwards.'],
    [
      'I could work here yesterday. What happened?',
      'Somebody changed your permissions, or archived the vertical. The owner can see who in the change log.',
    ],
  ]),
  ...page(
    'account',
    'Signing in, and what goes before it: registering, accepting an invitation, a forgotten password, a lost authenticator.',
    [
      [
        'I have forgotten my password.',
        'Choose “Forgot password” and enter your e-mail address. If there is an account, a link comes by mail that is good for 30 minutes.',
      ],
      [
        'My authenticator is lost.',
        'Use a recovery code in place of the code of the app. Without one, “Lost your authenticator?” sends a link to your e-mail address.',
      ],
      ['Why was I signed out?', 'Nobody had touched the page for 30 minutes. After you sign in you come back to where you were.'],
    ],
  ),
];

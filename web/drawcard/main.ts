/** What the public pages do beside being read: a card is shared, a lander's form is checked and sent (account §4, §5, §8). */
import { sendForms } from './form.ts';
import { offerSharing } from './share.ts';

offerSharing();
sendForms();

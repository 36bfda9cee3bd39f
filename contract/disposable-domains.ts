/** Providers of addresses that are thrown away: what an e-mail check begins with. Each organization adds to it and takes from it as it likes. */
export const DISPOSABLE_DOMAINS: readonly string[] =
  `10minutemail.com 10minutemail.net 20minutemail.com 33mail.com anonaddy.me burnermail.io byom.de
cock.li crazymailing.com deadaddress.com discard.email discardmail.com discardmail.de dispostable.com dropmail.me e4ward.com emailondeck.com
emailfake.com emailsensei.com emailtemporario.com.br fakeinbox.com fakemail.net fakemailgenerator.com filzmail.com generator.email getairmail.com
getnada.com gishpuppy.com grr.la guerrillamail.biz guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org
guerrillamailblock.com harakirimail.com inboxalias.com inboxbear.com inboxkitten.com incognitomail.org jetable.org mail-temp.com mail-temporaire.fr
mail.tm mailbox92.biz maildrop.cc mailcatch.com mailde.de mailexpire.com mailforspam.com mailinator.com mailinator.net mailinator2.com mailmoat.com
mailnesia.com mailnull.com mailpoof.com mailsac.com mailshell.com mailtemp.info mintemail.com mohmal.com moakt.com mt2015.com mytemp.email
mytrashmail.com nada.email nowmymail.com one-time.email onetime.email pokemail.net rcpt.at sharklasers.com sneakemail.com sogetthis.com spam4.me
spambog.com spambox.us spamex.com spamgourmet.com spamherelots.com spamhole.com superrito.com suremail.info tempail.com temp-mail.io temp-mail.org
tempemail.co tempemail.net tempinbox.com tempmail.de tempmail.dev tempmail.net tempmail.plus tempmailaddress.com tempmailo.com tempr.email
thankyou2010.com throwam.com throwawaymail.com tmail.ws tmpmail.net tmpmail.org trash-mail.com trash-mail.de trashmail.com trashmail.de trashmail.me
trashmail.net trbvm.com wegwerfmail.de wegwerfmail.net wegwerfmail.org yepmail.net yopmail.com yopmail.fr yopmail.net zetmail.com`
    .split(/\s+/)
    .toSorted();

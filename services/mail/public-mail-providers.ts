/**
 * Domains at which anyone can open a mailbox, so that one limit for all of their mailboxes would
 * let strangers refuse everyone else. A provider that is missing here has a limit per domain.
 *
 * Source: Mailcheck's list of popular domains (github.com/mailcheck/mailcheck/wiki), without
 * closed providers, and the domains that the providers name themselves: Google, Microsoft (Outlook,
 * Hotmail, Live), Yahoo and AOL, Apple (iCloud), Proton, GMX and WEB.DE, Fastmail, Zoho, Tuta.
 */
export const publicMailProviders: ReadonlySet<string> = new Set(
  `
  gmail.com googlemail.com icloud.com me.com mac.com outlook.com outlook.fr outlook.de outlook.es
  outlook.it outlook.co.uk hotmail.com hotmail.co.uk hotmail.ca hotmail.fr hotmail.de hotmail.es
  hotmail.it hotmail.be hotmail.com.ar hotmail.com.mx hotmail.com.br live.com live.co.uk live.ca
  live.fr live.de live.be live.nl live.it live.com.ar live.com.mx live.com.au msn.com passport.com
  yahoo.com yahoo.ca yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.co.id yahoo.co.kr yahoo.com.ar
  yahoo.com.au yahoo.com.br yahoo.com.mx yahoo.com.ph yahoo.com.sg yahoo.de yahoo.es yahoo.fr
  yahoo.in yahoo.it ymail.com rocketmail.com myyahoo.com aol.com aim.com love.com ygm.com games.com
  wow.com verizon.net proton.me protonmail.com protonmail.ch pm.me tuta.com tutanota.com tutanota.de
  tutamail.com tuta.io keemail.me gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.fr gmx.us web.de mail.com
  email.com iname.com inbox.com usa.com consultant.com zoho.com zohomail.com fastmail.com
  fastmail.fm hey.com mailbox.org posteo.de posteo.net hushmail.com hush.com pobox.com runbox.com
  duck.com mozmail.com yandex.com yandex.ru ya.ru mail.ru list.ru bk.ru inbox.ru rambler.ru ukr.net
  seznam.cz wp.pl o2.pl onet.pl att.net sbcglobal.net bellsouth.net ameritech.net pacbell.net
  comcast.net xfinity.com charter.net spectrum.net rr.com twc.com cox.net juno.com netzero.net
  earthlink.net mindspring.com centurylink.net q.com frontier.com optonline.net windstream.net
  bell.net sympatico.ca rogers.com shaw.ca telus.net videotron.ca prodigy.net.mx btinternet.com
  bt.com virginmedia.com virgin.net blueyonder.co.uk sky.com ntlworld.com o2.co.uk talktalk.co.uk
  talktalk.net tiscali.co.uk orange.net laposte.net orange.fr wanadoo.fr sfr.fr neuf.fr free.fr
  bbox.fr t-online.de freenet.de online.de arcor.de 1und1.de bluewin.ch libero.it virgilio.it
  tiscali.it alice.it tin.it skynet.be telenet.be voo.be ziggo.nl kpnmail.nl xs4all.nl planet.nl
  home.nl telia.com sapo.pt qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com
  139.com aliyun.com naver.com hanmail.net daum.net kakao.com nate.com docomo.ne.jp ezweb.ne.jp
  softbank.ne.jp nifty.com rediffmail.com bigpond.com bigpond.net.au optusnet.com.au iinet.net.au
  xtra.co.nz uol.com.br bol.com.br terra.com.br ig.com.br globo.com fibertel.com.ar
`
    .trim()
    .split(/\s+/),
)

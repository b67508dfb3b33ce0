import { brand } from './brand.ts'

/** A topic of the privacy policy. */
export interface PolicyTopic {
  /** The anchor of the topic. */
  readonly id: string
  readonly title: string
  /** Paragraphs, and lists of items. */
  readonly blocks: readonly (string | readonly string[])[]
}

interface PrivacyPolicy {
  readonly lastUpdated: string
  readonly summary: string
  readonly topics: readonly PolicyTopic[]
}

const { name, supportEmail, social } = brand
const country = brand.address.at(-1) ?? ''

/**
 * The text of /privacy-policy. It states what the product does: a change of cookies, stored
 * values, retention or processors changes this text. A test compares what it can.
 */
export const privacyPolicy: PrivacyPolicy = {
  lastUpdated: 'May 16, 2025',
  summary: `This policy says which data ${name} collects, what we use it for, who receives it, how long we keep it, and how you can have it deleted. It covers this website, your account and your subscription.`,
  topics: [
    {
      id: 'data-collected',
      title: 'Data we collect',
      blocks: [
        'We collect the data that you enter, and the data that your use of the service creates:',
        [
          'Your e-mail address. An account can have a second address to log in with.',
          'Your company profile: full name, company name, domain, website, address, city, state, ZIP code, support email and support phone. We also record that you accepted the terms, and which version.',
          'Your sign-ins: when you requested a code, signed in and signed out, and the name of your browser and system, such as ‘Firefox on Windows’. We keep a sign-in code only as a hash, and no password exists.',
          'Your subscription: plan, status, billing periods, plan changes, payments, refunds and disputes. For a payment we keep the amount, the date, the kind of card with its last four digits, and the billing address.',
          'Messages from the contact form: name, email, phone number, message and goals.',
          'Your network address, to limit how many requests one network can make. It is stored with the counter of these requests for a short time.',
        ],
        'Card numbers are entered at our payment provider. We never receive them.',
      ],
    },
    {
      id: 'cookies',
      title: 'Cookies and stored values',
      blocks: [
        'We use only what the service needs. There are no advertising cookies, no analytics and no trackers. Our pages load nothing from other hosts, with one exception that stops stolen cards: the start page, the prices and your purchases may load a script of Stripe, our payment provider.',
        'Two cookies keep you signed in. Scripts cannot read them:',
        [
          '__Host-ar-customer: your session as a customer. It ends 24 hours after your last request, and 30 days after the sign-in at the latest.',
          '__Host-ar-admin: the session of an administrator. It ends after 30 minutes without a request, and after 8 hours at the latest.',
        ],
        'Stripe’s script recognizes fraud by how a browser behaves on these pages. It keeps the cookies __stripe_mid, for a year, and __stripe_sid, for 30 minutes.',
        'Your browser keeps these values. They control what the pages show, and we do not use them to identify you:',
        [
          'userEmail, isVerified, isCustomer and businessName: that you are logged in, until you log out.',
          'adminAuthenticated: that an administrator is logged in.',
          'adminFigures: that an administrator opened the figures of the console on a phone.',
          'theme: your choice of the light or the dark display.',
          'profileDraft: what you typed into the company profile before you finished the sign-up, for 24 hours. It is deleted when the profile is saved and when you log out. The page shows it after a code of the same address only.',
          'importColumns: what the columns of files mean that you imported, under a hash of their header, until you delete it.',
          'customerSessionEnded, adminSessionEnded and portalOpened: notes of one tab, until you close it.',
        ],
        'You can delete cookies and stored values in your browser. You then log in again.',
      ],
    },
    {
      id: 'use',
      title: 'How we use data',
      blocks: [
        'We use data for these purposes:',
        [
          'To run your account: to send sign-in codes, to show your purchases and receipts, and to let you manage your plan.',
          'To bill your subscription and to answer refunds and disputes.',
          'To answer your messages and to give support.',
          'To tell you about changes of your account, such as a new address to log in with.',
          'To keep the service secure: to limit guesses, to find misuse and to prove what was changed and by whom.',
          'To count users, payments and plans. These totals name no person.',
        ],
        'We make no automated decisions about you, and we do not use your data for advertising.',
      ],
    },
    {
      id: 'sharing',
      title: 'Who receives data',
      blocks: [
        'We do not sell or rent data. These recipients get what their task needs:',
        [
          'Stripe, our payment provider: your e-mail address, your company’s name and address, your support phone, your account’s id what you enter on its payment pages, and what its script notices. Stripe charges your card, and hosts the checkout and the page where you change your plan or card.',
          'Our e-mail provider: the address and the text of each e-mail that we send to you.',
          'Twilio, our provider for text messages: the phone number and the text of each text message that we send to you.',
          'Our administrators, who see accounts, payments and messages to run the service. Their actions are recorded.',
          'Authorities, if a law requires it.',
        ],
      ],
    },
    {
      id: 'retention',
      title: 'How long we keep data',
      blocks: [
        [
          'An account whose address was never verified with a code is erased 90 days after it was opened.',
          'Other accounts are kept until you delete them.',
          'A sign-in code is valid for 10 minutes. Sessions end as stated under cookies.',
          'Messages from the contact form are kept until you have them erased.',
          'Notices from our payment provider are listed for 90 days, without their content.',
          'Amounts and dates of payments stay in our books after an erasure, without your name, address and contact data.',
          'Backups that are older than an erasure still contain the data until we replace them. If we restore one, we repeat the erasure.',
        ],
      ],
    },
    {
      id: 'transfer',
      title: 'Transfer to other countries',
      blocks: [
        `We work in the ${country}. If you use the service from another country, your data is transferred to the ${country}. Our providers may process it in other countries, under their own agreements with us on data protection.`,
      ],
    },
    {
      id: 'deletion',
      title: 'Your data: download, correction and deletion',
      blocks: [
        'You can do the following yourself, on your profile page:',
        [
          'Correct your company profile.',
          'Download my data: one file with everything that we have recorded about you, and the messages that you sent with your verified addresses.',
          'Delete account: your plan ends at once, and no further payment is charged. All your sessions end, and your personal data is erased. This cannot be undone.',
        ],
        'Personal data in our records is encrypted with a key of its own for each person. An erasure destroys that key, so the data can no longer be read.',
        `If you have no account, or if your account is blocked, write to ${supportEmail}. We erase your data after we have verified that the address is yours.`,
      ],
    },
    {
      id: 'security',
      title: 'Security',
      blocks: [
        'Personal fields in our records are encrypted with AES-256-GCM. Sign-in codes are stored as hashes. Sessions are stored as hashes, and you can end each of them on your profile page. No system is perfectly secure, so keep access to your mailbox safe: a code sent to your address signs in to your account.',
      ],
    },
    {
      id: 'children',
      title: 'Children under 13',
      blocks: [
        `The service is for businesses. It does not address children under 13, and we do not knowingly collect their data. If you believe that a child under 13 has given us data, write to ${supportEmail}, and we erase it.`,
      ],
    },
    {
      id: 'links',
      title: 'Links to other sites',
      blocks: [
        `Our pages link to other sites, such as ${social.label} and the pages of our payment provider. Their own privacy policies apply there. We are not responsible for their content.`,
      ],
    },
    {
      id: 'changes',
      title: 'Changes of this policy',
      blocks: [
        'If we change this policy, we publish the new text on this page with a new date. If a change affects how we use data that we already have, we tell customers by e-mail before it takes effect.',
      ],
    },
    {
      id: 'contact',
      title: 'Contact',
      blocks: [
        `Questions about this policy or about your data: write to ${supportEmail}, or to ${name}, ${brand.address.join(', ')}.`,
      ],
    },
  ],
}

import { toMajorUnits } from '../currency.ts'
import { formatRoundMoney } from '../format-money.ts'
import { businessHoursText, onboardingTime } from '../onboarding-text.ts'
import { planById, publicPlan } from '../plans.ts'
import type { Claims, SiteContent } from './site-content-type.ts'

/*
 * What the public pages say. Prices and fees are derived from the plan catalogue. Texts take their
 * figures from `claims`.
 */

const claims: Claims = {
  years: 18,
  fewerFollowUps: 80,
  rating: 4.9,
  bestRating: 5,
  reviews: 89,
}

const plan = publicPlan
const price = formatRoundMoney(toMajorUnits(plan.amount, plan.currency), plan.currency)
const fee = plan.features.feeOnCustomerPayments
const annual = planById('annual')
const annualFee = annual.feeBasisPoints / 100

export const siteContent: SiteContent = {
  claims,
  pages: {
    '/': {
      title: 'Get paid on time',
      description: `Invoice reminders by e-mail and text, in your name. They stop when the invoice is paid. ${price} a month.`,
    },
    '/pricing': {
      title: 'Pricing',
      description: `One plan: ${price} a month and a ${fee} fee on customer payments. Accounts and reminders are unlimited.`,
    },
    '/privacy-policy': {
      title: 'Privacy Policy',
      description:
        'What data we collect, what we use it for, how long we keep it, and how you can have it deleted.',
    },
    '/terms': {
      title: 'Terms',
      description:
        'What you are responsible for, what we do not promise, and who answers for what: the terms that you accept when you open an account.',
    },
  },
  hero: {
    headline: ['Stop Chasing Payments.', 'Get Paid On Time,', 'Every Time'],
    price: `${price} a month`,
    scenes: [
      {
        subtitle:
          'Invoice reminders go out by e-mail and text on the days you set, in your name, and stop when the invoice is paid.',
        label: 'Invoices',
        alt: 'Sample dashboard: invoices and the reminders sent for each',
      },
      {
        subtitle:
          'Your customer pays from the reminder. The money goes through your own gateway, direct to your account.',
        label: 'Client portal',
        alt: 'The page where your customer pays: what is open, by due date, and the invoices to pay',
      },
      {
        subtitle: `Up to ${claims.fewerFollowUps}% fewer manual follow-ups. You step in only where a person is needed.`,
        label: 'Schedule',
        alt: 'Your schedule: the e-mails and texts before and after the due date, and when they go out',
      },
      {
        subtitle: 'One price and one fee, both in the open. Accounts and reminders are unlimited.',
        label: 'Purchases',
        alt: 'Your Purchases page: the plan with its billing period, and the payments',
      },
    ],
  },
  partners: ['Northgate', 'Ledgerfold', 'Tallywell', 'Harrow Street', 'Clearmark'],
  benefits: {
    heading: 'Reminded in time. Charged in plain sight. Paid\u00a0on\u00a0the\u00a0spot.',
    items: [
      {
        drawing: 'calendar',
        title: 'Multiple reminder methods',
        text: 'E-mail and text, on one schedule. The reminders stop when the invoice is paid.',
      },
      {
        drawing: 'fees',
        title: 'No hidden fees',
        text: 'One monthly price and one fee on customer payments, both printed here.',
      },
      {
        drawing: 'message',
        title: 'Instant payment options',
        text: 'A reminder carries the way to pay. Your customer settles it from the message.',
      },
    ],
  },
  features: {
    heading: 'Everything between sent and paid',
    cards: [
      {
        drawing: 'schedule',
        title: 'Unlimited reminders',
        text: 'By e-mail and by text. Set the days once and every account follows the same schedule.',
      },
      {
        drawing: 'template',
        title: 'Pre-built templates',
        text: 'Start from wording that is polite, clear and already written.',
      },
      {
        drawing: 'brands',
        title: 'Custom branding',
        text: 'Your name on every message, and your logo on e-mails and on the page where customers pay.',
      },
      {
        drawing: 'portal',
        title: 'Client portal access',
        text: 'Customers see what they owe and what they have paid, and settle the rest.',
      },
      {
        drawing: 'bars',
        title: 'Performance dashboard',
        text: 'What is outstanding, what came in, and how long it took.',
      },
      {
        drawing: 'routing',
        title: 'Your own payment portal',
        text: 'Payments go through your own gateway and are routed direct to your account.',
      },
    ],
  },
  pricing: {
    heading: 'One plan',
    per: 'a month',
    terms: `${plan.name}, billed monthly to your card. Cancel from your account at any time; the plan runs to the end of the period paid for.`,
    sheetHeading: 'What is included',
  },
  reasons: [
    {
      drawing: 'metronome',
      title: `Up to ${claims.fewerFollowUps}% fewer manual follow-ups`,
      text: 'Reminders go out by e-mail and text on their own beat. You step in only where a person is needed.',
      caption: 'E-mail on one beat, text on the other',
    },
    {
      drawing: 'letter-balance',
      title: 'One price and one fee, both in the open',
      text: `${price} a month, and ${fee} on customer payments. You can work out our fee on any payment in your head.`,
      caption: 'An invoice, and what collecting it costs',
    },
    {
      drawing: 'embossing-press',
      title: 'Your name on every message',
      text: 'Templates, sender and payment page carry your brand. Your customers deal with you, not with us.',
      caption: 'Your mark, pressed into each message',
    },
    {
      drawing: 'plumb-line',
      title: 'Paid straight to your account',
      text: 'Payments run through your own gateway and are routed direct to your account.',
      caption: 'The shortest way from your customer to you',
    },
    {
      drawing: 'surveyors-chain',
      title: 'Every invoice on one line',
      text: 'Sent, reminded, opened, paid: each step is recorded with its time, so nobody has to remember who was called.',
      caption: 'One invoice, measured from sent to paid',
    },
    {
      drawing: 'perpetual-calendar',
      title: `${claims.years} years in financial services`,
      text: `We have spent ${claims.years} years in financial services. The product does what that work taught us, in that order.`,
      caption: `${claims.years} years, one leaf each`,
    },
  ],
  about: {
    text: 'We help small businesses collect what they are owed: practices, law offices, builders, schools, garages. The work is mostly patience and good timing, so we built a tool that has both.',
    highlights: [
      {
        scale: 'years',
        figure: String(claims.years),
        after: 'years',
        text: 'of experience in financial services',
      },
      {
        scale: 'share',
        before: 'up to',
        figure: `${claims.fewerFollowUps}%`,
        text: 'fewer manual follow-ups',
      },
      {
        scale: 'rating',
        figure: String(claims.rating),
        after: `of ${claims.bestRating}`,
        text: `rating from ${claims.reviews} reviews`,
      },
    ],
  },
  faqs: [
    {
      question: 'How soon can I start?',
      answer: `You can import your invoices as soon as you subscribe. Onboarding takes up to ${onboardingTime}. You then have full access. Business hours are ${businessHoursText}. Your confirmation names the day.`,
    },
    {
      question: 'What does it cost?',
      answer: `The ${plan.name} is ${price} a month, with a ${fee} fee on customer payments. Accounts and reminders are unlimited.`,
    },
    {
      question: 'How is the fee worked out?',
      answer: `It is a percentage of each payment that a customer makes by card on your payment page. A payment that you record yourself, or that comes through a gateway of your own, has none. Under the 1-Year Plan, for example, the fee on a $50.00 payment is $${((50 * annualFee) / 100).toFixed(2)}. On the ${plan.name} it is ${fee}. You reach the 1-Year Plan from your account: subscribe to the ${plan.name}, open “View plans” on the Purchases page, and change to the ${annual.name}.`,
    },
    {
      question: 'Where does my customers’ money go?',
      answer: 'Direct to your account, through your own payment gateway.',
    },
    {
      question: 'How are my customers reminded?',
      answer:
        'By e-mail and by text message. You choose the days and the wording, and the number of reminders is not limited: a daily or weekly limit delays a reminder and never drops it.',
    },
    {
      question: 'Will the messages carry my brand?',
      answer:
        'Yes. Your name appears on every message, and your logo on e-mails and in the client portal. A text message has no pictures.',
    },
    {
      question: 'Can I change or cancel my plan?',
      answer:
        'Yes, from your account’s Purchases page. A canceled plan stays active until the end of the period you have paid for.',
    },
  ],
  contact: {
    lead: 'Tell us what you invoice, and what you would like to stop doing by hand.',
    timelineCaption: 'How the invoice on this page ended',
    replyTime: '1-2 business days',
  },
}

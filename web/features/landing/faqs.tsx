import { brand } from '#contracts/brand'
import './faqs.css'

const questions = [
  [
    'How soon can I start?',
    'Onboarding takes up to 48 business hours after you subscribe. You then have full access.',
  ],
  [
    'What does it cost?',
    'The Monthly Plan is $39 a month, with a 5% fee on customer payments. Accounts and reminders are unlimited.',
  ],
  [
    'How is the fee worked out?',
    'It is a percentage of each customer payment. Under the 1-Year Plan, for example, the fee on a $50.00 payment is $1.50. On the Monthly Plan it is 5%.',
  ],
  [
    'Where does my customers’ money go?',
    'Direct to your account, through your own payment gateway.',
  ],
  [
    'How are my customers reminded?',
    'By e-mail and by text message. You choose the days and the wording, and the number of reminders is not limited.',
  ],
  [
    'Will the messages carry my brand?',
    'Yes. Your name and logo appear on messages and in the client portal.',
  ],
  [
    'Can I change or cancel my plan?',
    'Yes, from your account’s Purchases page. A canceled plan stays active until the end of the period you have paid for.',
  ],
] as const

/** One panel is open at a time: `details` elements with the same name are exclusive. */
export function Faqs() {
  return (
    <div className="faqs">
      <div>
        <h2>FAQs</h2>
        <p className="faqs-ask">
          Not answered here? <a href={`mailto:${brand.supportEmail}`}>Ask a person.</a>
        </p>
      </div>
      <div>
        {questions.map(([question, answer], index) => (
          <details key={question} name="faq" open={index === 0}>
            <summary>
              {question}
              <span className="faqs-sign" aria-hidden="true" />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </div>
  )
}

import { Link } from 'react-router-dom'
import { siteContent } from '#contracts/brand/site-content'
import './faqs.css'

/** One panel is open at a time: `details` elements with the same name are exclusive. */
export function Faqs() {
  return (
    <div className="faqs">
      <div>
        <h2>FAQs</h2>
        <p className="faqs-ask">
          Not answered here? <Link to="#contact">Ask a person.</Link>
        </p>
      </div>
      <div>
        {siteContent.faqs.map(({ question, answer }, index) => (
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

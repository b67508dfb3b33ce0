import { brand } from '#contracts/brand/brand'
import type { Account } from '../store/stripe-objects.ts'
import { accountFacts } from './account-facts.ts'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'

interface OnboardingView {
  readonly visit: string
  readonly account: Account
  readonly returnUrl: string
  /** The form was sent without a name. */
  readonly lacksName: boolean
}

/** What Stripe asks of a merchant, in one field, and what can happen to the account. */
export function renderOnboarding(view: OnboardingView): string {
  const { account, returnUrl } = view
  return renderPage({
    title: `${view.lacksName ? 'Not finished: ' : ''}Connect your account (sandbox)`,
    kind: 'portal',
    children: (
      <>
        <header className="portal-bar">
          <span className="logo">
            <LogoMark />
            {brand.name}
          </span>
          <BackLink href={returnUrl} text="Leave without finishing" />
        </header>
        <main className="portal">
          <h1>Connect your account</h1>
          <Finish {...view} />
          <section className="panel">
            <header>
              <h2>What {brand.name} sees</h2>
            </header>
            <dl className="facts panel-body">
              {accountFacts(account).map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </section>
          <Later {...view} />
        </main>
      </>
    ),
  })
}

function Finish({ visit, account, lacksName }: OnboardingView) {
  return (
    <section className="panel">
      <header>
        <h2>{account.details_submitted ? 'Your details' : 'Tell us about your business'}</h2>
      </header>
      <form
        className="panel-body portal-question"
        method="post"
        action={addressOf(visit)}
        noValidate
      >
        <p>
          Stripe asks for the business, its owners and a bank account here. The sandbox asks for the
          name that your clients see when they pay.
        </p>
        <div className="field">
          <div className="field-head">
            <label htmlFor="businessName">Business name</label>
          </div>
          <input
            className="input"
            id="businessName"
            name="businessName"
            autoComplete="organization"
            maxLength={100}
            defaultValue={account.business_profile?.name ?? ''}
            {...(lacksName
              ? { 'aria-invalid': true, 'aria-describedby': 'businessName-error' }
              : {})}
          />
          {lacksName && (
            <p className="field-error" id="businessName-error">
              Enter the name of the business.
            </p>
          )}
        </div>
        <div className="portal-actions">
          <button className="button button-go" name="action" value="finish" type="submit">
            Finish and accept payments
          </button>
        </div>
      </form>
    </section>
  )
}

function Later({ visit }: OnboardingView) {
  return (
    <section className="panel">
      <header>
        <h2>Other outcomes</h2>
      </header>
      <form className="panel-body portal-question" method="post" action={addressOf(visit)}>
        <p>
          Stripe may need more information: the account then takes no payments until you finish. A
          merchant may also remove the access of {brand.name}.
        </p>
        <div className="portal-actions">
          <button className="button" name="action" value="more" type="submit">
            Stripe needs more information
          </button>
          <button className="button" name="action" value="deauthorize" type="submit">
            Remove the access of {brand.name}
          </button>
        </div>
      </form>
    </section>
  )
}

function addressOf(visit: string): string {
  return `/connect/onboarding/${visit}`
}

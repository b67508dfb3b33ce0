import { brand } from '#contracts/brand/brand'
import type { Account } from '../store/stripe-objects.ts'
import { accountDescriptions } from './account-descriptions.ts'
import { Descriptions, Panel, renderMerchantFrame } from './merchant-frame.tsx'

interface OnboardingView {
  readonly visit: string
  readonly account: Account
  readonly returnUrl: string
  /** The form was sent without a name. */
  readonly lacksName: boolean
}

/** What Stripe asks of a merchant, in one field, and what can happen to the account. */
export function renderOnboarding(view: OnboardingView): string {
  return renderMerchantFrame({
    owner: brand.name,
    ownerUrl: null,
    title: `${view.lacksName ? 'Not finished: ' : ''}Connect your account`,
    heading: 'Connect your account',
    back: { href: view.returnUrl, text: 'Leave without finishing' },
    children: (
      <>
        <Finish {...view} />
        <Panel title={`What ${brand.name} sees`}>
          <Descriptions descriptions={accountDescriptions(view.account)} />
        </Panel>
        <OtherOutcomes {...view} />
      </>
    ),
  })
}

function Finish({ visit, account, lacksName }: OnboardingView) {
  return (
    <Panel title={account.details_submitted ? 'Your details' : 'About your business'}>
      <form
        className="panel-body portal-question"
        method="post"
        action={addressOf(visit)}
        noValidate
      >
        <p>
          Stripe asks for the business, its owners and a bank account here. The sandbox asks only
          for the name that your clients see when they pay.
        </p>
        <div className="field">
          <div className="field-head">
            <label htmlFor="businessName">Business name</label>
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- only after a refused form: the focus goes to the field to correct */}
          <input
            className="input"
            id="businessName"
            name="businessName"
            autoComplete="organization"
            maxLength={100}
            defaultValue={account.business_profile?.name ?? ''}
            autoFocus={lacksName}
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
    </Panel>
  )
}

function OtherOutcomes({ visit }: OnboardingView) {
  return (
    <Panel title="Other outcomes">
      <form className="panel-body portal-question" method="post" action={addressOf(visit)}>
        <p>
          If Stripe needs more information, the account takes no payments until you finish. You can
          also remove the access of {brand.name}.
        </p>
        <div className="portal-actions">
          <button className="button button-line" name="action" value="more" type="submit">
            Stripe needs more information
          </button>
          <button className="button button-risk" name="action" value="deauthorize" type="submit">
            Remove the access
          </button>
        </div>
      </form>
    </Panel>
  )
}

function addressOf(visit: string): string {
  return `/connect/onboarding/${visit}`
}

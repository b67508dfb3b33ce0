import { useEffect, useState, type FormEvent } from 'react'
import { completeSignupRequest, maxResends } from '#contracts/auth'
import { companyDomains, usStates } from '#contracts/profile-options'
import { useCompleteSignupMutation } from '../../api/auth-api.ts'
import { errorText, isApiError } from '../../lib/http.ts'
import { readStored, writeStored } from '../../lib/stored-values.ts'
import { useFirstFieldFocus } from '../../lib/use-first-field-focus.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { emptyProfile, isComplete, type ProfileFields } from './profile-fields.ts'
import { Terms } from './terms.tsx'
import { useCodeRequest, type CodeDelivery } from './use-code-request.ts'
import './profile-step.css'

type FieldErrors = Partial<Record<keyof ProfileFields, string>>

interface ProfileStepProps {
  readonly titleId: string
  readonly email: string
  /** True if the code was checked before: saving then completes the sign-in without a new code. */
  readonly signedIn: boolean
  readonly onCodeSent: (delivery: CodeDelivery) => void
  readonly onFinished: () => void
}

export function ProfileStep({
  titleId,
  email,
  signedIn,
  onCodeSent,
  onFinished,
}: ProfileStepProps) {
  const [fields, setFields] = useState<ProfileFields>(() => ({
    ...emptyProfile,
    company_name: (signedIn && readStored('businessName')) || '',
  }))
  const [accepted, setAccepted] = useState(false)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [completeSignup] = useCompleteSignupMutation()
  const requestCode = useCodeRequest()
  const form = useFirstFieldFocus()

  useEffect(
    () => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    [errors, form],
  )

  async function complete(event: FormEvent) {
    event.preventDefault()
    setProblem(null)
    setErrors({})
    const request = completeSignupRequest.safeParse({
      ...fields,
      email,
      has_accepted_terms: accepted,
    })
    if (!request.success) {
      const { fieldErrors } = request.error.flatten()
      return setErrors(firstOfEach(fieldErrors))
    }
    setBusy(true)
    const { data, error } = await completeSignup(request.data)
    if (!data) {
      setBusy(false)
      setProblem(errorText(error, 'Failed to complete signup'))
      if (isApiError(error) && error.field !== undefined && error.field in emptyProfile) {
        setErrors({ [error.field]: error.error ?? error.reason })
      }
      return
    }
    if (data.isVerified) {
      writeStored('userEmail', request.data.email)
      writeStored('isVerified', 'true')
      writeStored('businessName', request.data.company_name)
      return onFinished()
    }
    const code = await requestCode(request.data.email, 'Failed to send OTP')
    // The profile is saved. If sending the code failed, the next step offers to resend it.
    onCodeSent(
      'delivery' in code
        ? code.delivery
        : { userId: data.userId, resendsLeft: maxResends, resendAt: 0, problem: code.problem },
    )
  }

  /** The common properties of the form's controls. */
  function bind(name: keyof ProfileFields) {
    return {
      name,
      value: fields[name],
      error: errors[name],
      onChange: (event: { target: { value: string } }) =>
        setFields({ ...fields, [name]: event.target.value }),
    }
  }

  return (
    <form ref={form} noValidate onSubmit={(event) => void complete(event)}>
      <h2 id={titleId}>Complete Your Profile</h2>
      <p className="login-lead">This appears on your reminders and receipts.</p>
      <ErrorBox text={problem} />
      <div className="profile-grid">
        <TextField label="Full name" autoComplete="name" maxLength={120} {...bind('full_name')} />
        <TextField
          label="Company name"
          autoComplete="organization"
          maxLength={160}
          {...bind('company_name')}
        />
        <SelectField label="Domain" options={companyDomains} {...bind('domain')} />
        <TextField
          label="Website link"
          optional
          type="url"
          placeholder="https://"
          autoComplete="url"
          maxLength={300}
          {...bind('website_url')}
        />
        <TextField
          className="profile-line"
          label="Address"
          autoComplete="street-address"
          maxLength={200}
          {...bind('address')}
        />
        <TextField
          className="profile-third"
          label="City"
          optional
          autoComplete="address-level2"
          maxLength={100}
          {...bind('city')}
        />
        <SelectField
          className="profile-third profile-phone-half"
          label="State"
          options={usStates}
          autoComplete="address-level1"
          {...bind('state')}
        />
        <TextField
          className="profile-third profile-phone-half"
          label="ZIP code"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
          {...bind('zipcode')}
        />
        <TextField
          label="Support email"
          type="email"
          autoCapitalize="none"
          maxLength={254}
          {...bind('support_email')}
        />
        <TextField label="Support phone" type="tel" maxLength={30} {...bind('support_phone')} />
        <Terms accepted={accepted} onAccept={setAccepted} />
      </div>
      <Button type="submit" size="md" wide busy={busy} disabled={!isComplete(fields) || !accepted}>
        Complete Signup
      </Button>
    </form>
  )
}

function firstOfEach(fieldErrors: Partial<Record<string, string[]>>): FieldErrors {
  return Object.fromEntries(
    Object.entries(fieldErrors).flatMap(([name, texts]) => (texts?.[0] ? [[name, texts[0]]] : [])),
  )
}

import { useId, useState } from 'react'
import { StoreProvider } from '../../api/store-provider.tsx'
import { emptyProfile } from '../../lib/profile-form.ts'
import { unreachable } from '../../lib/unreachable.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LogoMark } from '../../ui/logo.tsx'
import { CodeStep } from './code-step.tsx'
import { EmailStep } from './email-step.tsx'
import { ProfileStep } from './profile-step.tsx'
import type { CodeDelivery } from './use-code-request.ts'
import './login-dialog.css'

type Step =
  | { readonly name: 'email' }
  | {
      readonly name: 'profile'
      readonly email: string
      /** True after a code check, if the account's profile lacks a field. */
      readonly signedIn: boolean
    }
  | { readonly name: 'code'; readonly email: string; readonly delivery: CodeDelivery }

interface LoginDialogProps {
  /** The sentence above the first field, or null. */
  readonly notice: string | null
  /** The address of a signed-in customer who only completes the profile, or null. */
  readonly profileOf: string | null
  readonly onSignedIn: (email: string) => void
  readonly onClose: () => void
}

/**
 * The login and sign-up dialog. A known address: e-mail, code. A new address: e-mail, company
 * profile, code. The dialog is mounted only while it is open, so that closing clears every field.
 */
export function LoginDialog({ notice, profileOf, onSignedIn, onClose }: LoginDialogProps) {
  const [step, setStep] = useState<Step>(
    profileOf === null ? { name: 'email' } : { name: 'profile', email: profileOf, signedIn: true },
  )
  const [email, setEmail] = useState('')
  /** What was typed into the profile. A corrected address does not empty the form. */
  const [typed, setTyped] = useState(emptyProfile)
  const titleId = useId()

  function content() {
    switch (step.name) {
      case 'email':
        return (
          <EmailStep
            titleId={titleId}
            notice={notice}
            email={email}
            onEmail={setEmail}
            onNewUser={(entered) => setStep({ name: 'profile', email: entered, signedIn: false })}
            onCodeSent={(entered, delivery) => setStep({ name: 'code', email: entered, delivery })}
          />
        )
      case 'profile':
        return (
          <ProfileStep
            titleId={titleId}
            email={step.email}
            signedIn={step.signedIn}
            typed={typed}
            onTyped={setTyped}
            onUseAnotherEmail={() => setStep({ name: 'email' })}
            onCodeSent={(delivery) => setStep({ name: 'code', email: step.email, delivery })}
            onFinished={() => onSignedIn(step.email)}
          />
        )
      case 'code':
        return (
          <CodeStep
            titleId={titleId}
            email={step.email}
            delivery={step.delivery}
            onUseAnotherEmail={() => setStep({ name: 'email' })}
            onProfileNeeded={() => setStep({ name: 'profile', email: step.email, signedIn: true })}
            onFinished={() => onSignedIn(step.email)}
          />
        )
      default:
        return unreachable(step)
    }
  }

  return (
    <StoreProvider>
      <Dialog
        labelledBy={titleId}
        width={step.name === 'profile' ? 'wide' : 'narrow'}
        onClose={onClose}
      >
        <div className="login">
          <LogoMark />
          {content()}
        </div>
      </Dialog>
    </StoreProvider>
  )
}

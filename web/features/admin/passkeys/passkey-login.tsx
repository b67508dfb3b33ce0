import { startAuthentication } from '@simplewebauthn/browser'
import { useState } from 'react'
import {
  useFinishPasskeyLoginMutation,
  useGetPasskeyLoginQuery,
  useStartPasskeyLoginMutation,
} from '../../../api/passkeys-api.ts'
import { rememberAdmin } from '../../../lib/session-values.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { passkeyProblem, whyNoPasskey } from './passkey-problems.ts'

/** The sign-in with a passkey. Empty until an administrator has one. */
export function PasskeyLogin() {
  const { currentData: login } = useGetPasskeyLoginQuery()
  const [start] = useStartPasskeyLoginMutation()
  const [finish] = useFinishPasskeyLoginMutation()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  if (!login?.offered) return null
  const cannot = whyNoPasskey(login.origin)
  if (cannot !== null) return <Notice>{cannot}</Notice>

  async function signIn(): Promise<void> {
    setIsBusy(true)
    setProblem(null)
    try {
      const optionsJSON = await start().unwrap()
      await finish(await startAuthentication({ optionsJSON })).unwrap()
      rememberAdmin()
    } catch (error) {
      setProblem(passkeyProblem(error, 'The sign-in with the passkey failed. Try again.'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <>
      <Button type="button" size="md" look="line" wide busy={isBusy} onClick={() => void signIn()}>
        Sign in with a passkey
      </Button>
      <ErrorBox text={problem} />
    </>
  )
}

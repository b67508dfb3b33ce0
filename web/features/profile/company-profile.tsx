import { useState, type FormEvent } from 'react'
import { updateProfileRequest, type ProfileResponse } from '#contracts/account'
import { useLazyGetProfileQuery, useUpdateProfileMutation } from '../../api/account-api.ts'
import { focusPanelHeading } from '../../lib/focus-heading.ts'
import { isApiError } from '../../lib/http.ts'
import { useLogin } from '../../lib/login-request.ts'
import { mergeProfile } from '../../lib/merge-profile.ts'
import {
  emptyProfile,
  isComplete,
  isSame,
  useProfileForm,
  type ProfileFields as Fields,
} from '../../lib/profile-form.ts'
import { changeStored } from '../../lib/stored-values.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ProfileFields } from '../../ui/profile-fields.tsx'

/** The form of the sign-up without the terms. Without a profile, the sign-up comes first. */
export function CompanyProfile({ account }: { account: ProfileResponse }) {
  const { email } = account
  const saved = savedProfile(account)
  return (
    <Panel title="Company profile">
      {saved === null ? <SignUpFirst email={email} /> : <ProfileForm saved={saved} />}
    </Panel>
  )
}

function SignUpFirst({ email }: { email: string }) {
  const login = useLogin()
  return (
    <>
      <p className="muted">
        Your account has no company profile yet. It appears on your reminders and receipts.
      </p>
      <Button className="profile-retry" onClick={() => login.open({ profileOf: email })}>
        Complete your profile
      </Button>
    </>
  )
}

/** A profile as the form shows it, and the version that names it. */
interface SavedProfile {
  readonly fields: Fields
  readonly version: string
}

const changedMeanwhile =
  'Your profile was changed in another window meanwhile, so nothing was saved. Your changes are kept here, with the other ones. Check the fields, then save again.'
const sessionEnded =
  'Your session ended before your changes were saved. They are kept here: save them now.'

function ProfileForm({ saved }: { saved: SavedProfile }) {
  const [base, setBase] = useState(saved)
  const [loaded, setLoaded] = useState(saved.version)
  const form = useProfileForm(base.fields)
  const { ref } = form
  const [updateProfile, { isLoading }] = useUpdateProfileMutation()
  const [loadProfile] = useLazyGetProfileQuery()
  const isChanged = !isSame(form.fields, base.fields)

  // A profile that another window saved, if nothing is typed here. The account that was loaded
  // before an own change is older than `base`.
  if (saved.version !== loaded) {
    setLoaded(saved.version)
    if (saved.version !== base.version && !isChanged && !isLoading) {
      setBase(saved)
      form.replace(saved.fields)
    }
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const request = form.check(updateProfileRequest, { profile_version: base.version })
    if (request === null) return
    const { data, error } = await updateProfile(request)
    const now = data === undefined ? null : savedProfile(data)
    if (now === null) return explainRefusal(error)
    setBase(now)
    form.replace(now.fields)
    focusPanelHeading(ref.current)
    changeStored({ businessName: now.fields.company_name })
    showToast('success', 'Your profile is saved.')
  }

  async function explainRefusal(error: unknown) {
    if (isApiError(error) && error.status === 401)
      return form.explain(form.fields, sessionEnded, {})
    if (isApiError(error) && error.field === 'profile_version') {
      const { data } = await loadProfile()
      const other = data === undefined ? null : savedProfile(data)
      if (other !== null) {
        const { fields, conflicts } = mergeProfile(base.fields, form.fields, other.fields)
        setBase(other)
        return form.explain(fields, changedMeanwhile, conflicts)
      }
    }
    form.refuse(error, 'Your profile could not be saved. Try again.')
  }

  function discard() {
    form.replace(base.fields)
    focusPanelHeading(ref.current)
  }

  return (
    <form ref={ref} noValidate onSubmit={(event) => void save(event)}>
      <ErrorBox text={form.problem} />
      <ProfileFields form={form} />
      <div className="profile-actions">
        <p className="muted">This appears on your reminders and receipts.</p>
        {isChanged && (
          <Button look="quiet" disabled={isLoading} onClick={discard}>
            Discard changes
          </Button>
        )}
        <Button type="submit" busy={isLoading} disabled={!isChanged || !isComplete(form.fields)}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** The profile with empty texts for absent values. Null before the sign-up is finished. */
function savedProfile({ profile, profile_version }: ProfileResponse): SavedProfile | null {
  if (profile === null || profile_version === null) return null
  return {
    version: profile_version,
    fields: {
      ...emptyProfile,
      ...profile,
      website_url: profile.website_url ?? '',
      city: profile.city ?? '',
    },
  }
}

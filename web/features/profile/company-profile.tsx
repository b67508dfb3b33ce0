import { useState, type FormEvent } from 'react'
import { updateProfileRequest, type ProfileResponse } from '#contracts/account'
import { useUpdateProfileMutation } from '../../api/account-api.ts'
import { focusPanelHeading } from '../../lib/focus-heading.ts'
import { useLogin } from '../../lib/login-request.ts'
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
export function CompanyProfile({ account: { email, profile } }: { account: ProfileResponse }) {
  return (
    <Panel title="Company profile">
      {profile === null ? <SignUpFirst email={email} /> : <ProfileForm profile={profile} />}
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

function ProfileForm({ profile }: { profile: NonNullable<ProfileResponse['profile']> }) {
  const [saved, setSaved] = useState<Fields>(() => inForm(profile))
  const form = useProfileForm(saved)
  const { ref } = form
  const [updateProfile, { isLoading }] = useUpdateProfileMutation()
  const isChanged = !isSame(form.fields, saved)

  async function save(event: FormEvent) {
    event.preventDefault()
    const request = form.check(updateProfileRequest)
    if (request === null) return
    const { data, error } = await updateProfile(request)
    if (!data?.profile) return form.refuse(error, 'Your profile could not be saved. Try again.')
    const now = inForm(data.profile)
    setSaved(now)
    form.replace(now)
    focusPanelHeading(ref.current)
    changeStored({ businessName: now.company_name })
    showToast('success', 'Your profile is saved.')
  }

  function discard() {
    form.replace(saved)
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

/** The profile with empty texts for absent values. */
function inForm(profile: NonNullable<ProfileResponse['profile']>): Fields {
  return {
    ...emptyProfile,
    ...profile,
    website_url: profile.website_url ?? '',
    city: profile.city ?? '',
  }
}

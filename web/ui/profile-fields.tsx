import { companyDomains, usStates } from '#contracts/profile-options'
import type { ProfileFields as Fields, ProfileForm } from '../lib/profile-form.ts'
import { SelectField, TextField } from './field.tsx'
import './profile-fields.css'

/** The fields of the company profile: in the sign-up, and on the customer's profile page. */
export function ProfileFields({ form }: { form: ProfileForm }) {
  /** The common properties of the form's controls. */
  function bind(name: keyof Fields) {
    return {
      name,
      value: form.fields[name],
      error: form.errors[name],
      onChange: (event: { target: { value: string } }) => form.change(name, event.target.value),
    }
  }

  return (
    <div className="profile-grid">
      <TextField label="Full name" autoComplete="name" {...bind('full_name')} />
      <TextField
        label="Company name"
        autoComplete="organization"

        {...bind('company_name')}
      />
      <SelectField label="Domain" options={companyDomains} {...bind('domain')} />
      <TextField
        label="Website link"
        optional
        type="url"
        placeholder="https://"
        autoComplete="url"

        {...bind('website_url')}
      />
      <TextField
        className="profile-line"
        label="Address"
        autoComplete="street-address"

        {...bind('address')}
      />
      <TextField
        className="profile-third"
        label="City"
        optional
        autoComplete="address-level2"

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

        {...bind('zipcode')}
      />
      <TextField
        label="Support email"
        type="email"
        autoCapitalize="none"

        {...bind('support_email')}
      />
      <TextField label="Support phone" type="tel" {...bind('support_phone')} />
    </div>
  )
}

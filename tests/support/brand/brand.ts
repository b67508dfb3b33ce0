import { brand as original, type Brand } from '#contracts/brand/brand'

export const brand: Brand = {
  ...original,
  name: 'Quillon',
  subscriptionTitle: 'Quillon Plan',
  address: ['1 Other Street'],
  supportEmail: 'help@quillon.example',
  senderEmail: 'mail@quillon.example',
  social: { label: 'Mastodon', url: 'https://social.example/quillon' },
}

import { receipt, type Receipt } from '#contracts/receipts'
import { api } from './api.ts'

const receiptsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The receipt of a payment or a refund, by the id of either. */
    getReceipt: build.query<Receipt, { receiptId: string }>({
      query: ({ receiptId }) => `/api/receipts/${encodeURIComponent(receiptId)}`,
      extraOptions: { session: 'either' },
      responseSchema: receipt,
      providesTags: ['Purchases'],
    }),
  }),
})

export const { useGetReceiptQuery } = receiptsApi

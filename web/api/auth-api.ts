import type { z } from 'zod'
import {
  checkUserResponse,
  completeSignupResponse,
  requestOtpResponse,
  verifyOtpResponse,
  type checkUserRequest,
  type completeSignupRequest,
  type requestOtpRequest,
  type verifyOtpRequest,
} from '#contracts/auth'
import { api } from './api.ts'

const authApi = api.injectEndpoints({
  endpoints: (build) => ({
    checkUser: build.mutation<z.output<typeof checkUserResponse>, z.input<typeof checkUserRequest>>(
      {
        query: (body) => ({ url: '/api/auth/check-user', method: 'POST', body }),
        responseSchema: checkUserResponse,
      },
    ),
    requestOtp: build.mutation<
      z.output<typeof requestOtpResponse>,
      z.input<typeof requestOtpRequest>
    >({
      query: (body) => ({ url: '/api/auth/request-otp', method: 'POST', body }),
      responseSchema: requestOtpResponse,
    }),
    completeSignup: build.mutation<
      z.output<typeof completeSignupResponse>,
      z.input<typeof completeSignupRequest>
    >({
      query: (body) => ({ url: '/api/auth/complete-signup', method: 'POST', body }),
      responseSchema: completeSignupResponse,
    }),
    verifyOtp: build.mutation<z.output<typeof verifyOtpResponse>, z.input<typeof verifyOtpRequest>>(
      {
        query: (body) => ({ url: '/api/auth/verify-otp', method: 'POST', body }),
        responseSchema: verifyOtpResponse,
      },
    ),
  }),
})

export const {
  useCheckUserMutation,
  useRequestOtpMutation,
  useCompleteSignupMutation,
  useVerifyOtpMutation,
} = authApi

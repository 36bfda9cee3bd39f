/** Console §5: the field that repeats a password is invalid, with the error 'repeat', when it differs from the other. */
export const repeatError = (again: string, password: string): 'repeat' | null => (again === password ? null : 'repeat');

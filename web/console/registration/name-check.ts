export const checkName = (name: string, what: string): string | null => (name.trim() === '' ? `${what} is required` : null);

/** What the sandbox worlds are told with: names, places, captions. Nothing here is a real account. */
export const firstNames = [
  'Mara',
  'Jonas',
  'Ines',
  'Tariq',
  'Lena',
  'Kofi',
  'Yuki',
  'Noor',
  'Pablo',
  'Ada',
  'Milo',
  'Zoe',
  'Ravi',
  'Elif',
];
export const lastNames = [
  'Sol',
  'Lindqvist',
  'Okoye',
  'Tanaka',
  'Moreau',
  'Vega',
  'Haddad',
  'Novak',
  'Quist',
  'Duarte',
  'Lovelace',
  'Petrov',
];
export const topics = [
  'travel',
  'cooking',
  'running',
  'ceramics',
  'skincare',
  'gaming',
  'gardening',
  'film',
  'street food',
  'interiors',
];
export const emojis = ['✨', '🌿', '🎬', '🍜', '🏃', '☕', '🎧'];
export const countries = ['US', 'GB', 'DE', 'FR', 'BR', 'JP', 'ES', 'IN', 'CA', 'AU'];
export const countryNames = ['United States', 'United Kingdom', 'Germany', 'France', 'Brazil', 'Japan', 'Spain'];
export const cities = [
  'Austin, Texas',
  'Portland, Oregon',
  'Chicago, Illinois',
  'Miami, Florida',
  'Denver, Colorado',
  'Seattle, Washington',
];
export const currencies = ['USD', 'EUR', 'GBP'];
export const brands = ['Northlight', 'Ovenbird', 'Kettle & Fern', 'Lumo', 'Harbor Goods', 'Pinecone Labs'];
export const products = ['daily serum', 'trail shoe', 'pour-over set', 'desk lamp', 'linen apron', 'travel pack'];
export const ages = ['18-24', '25-34', '35-44', '45-54', '55-64', '65+'];
export const hashtags = [
  'morning',
  'slowliving',
  'homemade',
  'weekend',
  'behindthescenes',
  'tutorial',
  'ootd',
  'budget',
  'vlog',
  'recipe',
];
export const openings = [
  'Three things I wish I had known about {topic} earlier.',
  'A quiet morning of {topic}, no filter.',
  'You asked for it: my whole {topic} routine.',
  'Trying {topic} for thirty days. Day {day}.',
  'What {topic} really costs, line by line.',
  'Part {day} of the {topic} series, and the hardest so far.',
];
export const badges = ['rising_creator', 'top_partner', 'fast_responder', 'brand_safe'];
export const contentLabels = ['Lifestyle', 'Food', 'Fitness', 'Beauty', 'Games', 'Home', 'Film', 'Travel'];
export const industryLabels = ['Retail', 'Consumer goods', 'Hospitality', 'Electronics', 'Apparel'];
export const tones = ['warm', 'playful', 'calm', 'confident', 'ironic', 'earnest'];
export const emotions = ['joy', 'curiosity', 'calm', 'pride', 'surprise'];
export const aesthetics = ['minimal', 'golden hour', 'film grain', 'high contrast', 'pastel', 'handheld'];
export const cameraTechniques = ['close-up', 'tracking shot', 'jump cut', 'point of view', 'time-lapse'];
export const stillTechniques = ['close-up', 'point of view', 'flat lay', 'shallow focus'];
export const commentThemes = [
  'asks for the recipe',
  'praises the edit',
  'price questions',
  'shares own story',
  'wants a part two',
];

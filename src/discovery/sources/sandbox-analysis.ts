import type { Analysis, Post } from '../../model.ts';
import { unobservedAnalysis } from '../unobserved.ts';
import { round2, type Seed } from './seed.ts';
import * as words from './words.ts';

type Risk = 'High Risk' | 'Medium Risk' | 'Low Risk';
type BrandSafety = NonNullable<Analysis['brandSafety']>;
type Sentiments = Pick<
  Analysis,
  | 'commentSentimentLabel'
  | 'commentSentimentScore'
  | 'commentSentimentSummary'
  | 'commentSentimentRationale'
  | 'commentSentimentThemes'
  | 'commentSentimentBreakdown'
  | 'commentSentimentTotalCommentCount'
  | 'commentSentimentRelevantCommentCount'
>;

const riskKeys = [
  'adult_content',
  'arms_ammunition',
  'crime_harmful_acts',
  'death_injury',
  'online_piracy',
  'hate_speech',
  'obscenity_profanity',
  'illegal_drugs',
  'spam_harmful',
  'terrorism',
  'debated_sensitive_social_issue',
  'misinformation',
] as const;

function brandSafety(seed: Seed): BrandSafety {
  const risk = (key: string): Risk => {
    const draw = seed.fraction(`risk.${key}`);
    return draw < 0.02 ? 'High Risk' : draw < 0.1 ? 'Medium Risk' : 'Low Risk';
  };
  return Object.fromEntries(riskKeys.map((key) => [key, risk(key)])) as BrandSafety;
}

/** Comments judged, split in three; the label follows from the split. */
function sentiments(seed: Seed, comments: number): Sentiments {
  const relevant = Math.min(comments, 500);
  const positive = Math.round(relevant * seed.decimal('positive', 0.3, 0.8));
  const negative = Math.round((relevant - positive) * seed.decimal('negative', 0.05, 0.6));
  const neutral = relevant - positive - negative;
  const percentage = (count: number): number => Math.round((count / relevant) * 1000) / 10;
  const part = (count: number): { count: number; percentage: number } => ({ count, percentage: percentage(count) });
  const score = round2((positive - negative) / relevant);
  const label = score > 0.4 ? 'positive' : score < -0.2 ? 'negative' : negative > neutral ? 'mixed' : 'neutral';
  const themes = seed.some('themes', seed.whole('themes', 1, 3), words.commentThemes);
  return {
    commentSentimentLabel: label,
    commentSentimentScore: score,
    commentSentimentSummary: `Comments are mostly ${label}; the recurring theme: ${themes[0]}.`,
    commentSentimentRationale: `${positive} of ${relevant} relevant comments are positive, ${negative} negative.`,
    commentSentimentThemes: themes,
    commentSentimentBreakdown: { positive: part(positive), neutral: part(neutral), negative: part(negative) },
    commentSentimentTotalCommentCount: comments,
    commentSentimentRelevantCommentCount: relevant,
  };
}

function commercial(seed: Seed): Required<Analysis>['commercialAnalysis'] {
  const promoted = seed.chance('promoted', 0.4);
  return {
    featuredProducts: promoted ? seed.some('products', 2, words.products) : [],
    featuredBrands: promoted ? seed.some('brands', 1, words.brands) : [],
    callToActions: promoted ? ['Use my code', 'Link in bio'] : null,
    promoCodes: promoted
      ? [`${seed.pick('code', ['HELLO', 'SAVE', 'MORNING'])}${seed.whole('code.percent', 1, 4) * 5}`]
      : null,
    promotionalIntent: promoted ? seed.whole('intent', 3, 5) : 1,
  };
}

/** What is seen and heard in a video; a picture tells nothing that could be narrated. */
function narrationOf(seed: Seed, moving: boolean, spoken: boolean): string | null {
  if (!moving) return null;
  const opening = `A ${seed.pick('shot', words.cameraTechniques)} opens on the subject`;
  return spoken
    ? `${opening}, who talks to the camera and then shows the result.`
    : `${opening} and ends on the result; nobody speaks.`;
}

/** All 19 keys for a post: content mostly, null where the model found nothing or has not looked. */
export function analysisOf(seed: Seed, post: Post): Required<Analysis> {
  if (seed.chance('analysis.none', 0.08)) return unobservedAnalysis;
  const moving = post.mediaKind === 'video';
  const spoken = moving && seed.chance('spoken', 0.8);
  const comments = post.commentCount ?? 0;
  return {
    ...unobservedAnalysis,
    narration: narrationOf(seed, moving, spoken),
    transcript: spoken ? `So, ${(post.text ?? '').split('\n')[0] ?? ''} Let me show you how it went.` : null,
    overlayText: seed.chance('overlay', 0.5) ? ['Day one', 'Wait for it'] : null,
    languages: spoken ? [seed.pick('language', ['English', 'Spanish', 'German', 'Portuguese'])] : null,
    aestheticTags: seed.some('aesthetics', 2, words.aesthetics),
    brandSafety: seed.chance('unjudged', 0.15) ? null : brandSafety(seed),
    commercialAnalysis: commercial(seed),
    emotionalAnalysis: {
      primaryEmotion: seed.pick('emotion', words.emotions),
      tone: seed.some('tone', 2, words.tones),
    },
    productionAnalysis: {
      productionQuality: seed.whole('quality', 1, 5),
      cameraTechniques: seed.some('camera', 2, moving ? words.cameraTechniques : words.stillTechniques),
      audioStyle: spoken ? 'voice over music' : null,
      lightingStyle: seed.pick('light', ['natural', 'ring light', 'low key']),
    },
    vibeAnalysis: { energy: seed.decimal('energy', 0, 1), words: seed.some('vibe', 2, words.tones) },
    subjectAnalysis: seed.chance('subject', 0.7)
      ? { main: 'person', setting: seed.pick('setting', ['kitchen', 'street', 'studio']) }
      : null,
    ...(comments > 0 ? sentiments(seed, comments) : {}),
  };
}

ALTER TABLE "quarry"."runs" ADD COLUMN "last_error" jsonb;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "truncated_fragments" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "truncated_documents" integer DEFAULT 0 NOT NULL;
CREATE TABLE "quarry"."dispatch_locks" (
	"queue" text PRIMARY KEY NOT NULL,
	"locked_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quarry"."outbox" ADD COLUMN "class" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."outbox" ADD COLUMN "cost" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_by_lane" ON "quarry"."outbox" USING btree ("queue","organization_id","class","id") WHERE "quarry"."outbox"."refusal" is null;--> statement-breakpoint
CREATE INDEX "outbox_by_run" ON "quarry"."outbox" USING btree (("payload" ->> 'runId'),md5("payload" ->> 'documentKey'));
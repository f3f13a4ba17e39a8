CREATE TABLE "quarry"."webhook_deliveries" (
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"payload" jsonb NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_webhook_id_event_id_pk" PRIMARY KEY("webhook_id","event_id")
);
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_seen" ON "quarry"."webhook_deliveries" USING btree ("seen_at");
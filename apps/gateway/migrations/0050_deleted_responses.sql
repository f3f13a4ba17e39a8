CREATE TABLE "quarry"."deleted_responses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"turn" integer NOT NULL,
	"previous_message_id" uuid
);
--> statement-breakpoint
ALTER TABLE "quarry"."deleted_responses" ADD CONSTRAINT "deleted_responses_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "quarry"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_responses_of_conversation" ON "quarry"."deleted_responses" USING btree ("conversation_id");